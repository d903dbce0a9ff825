package dev.paddock.harness.workspace.tree;

import java.util.Map;

/**
 * The part of a file's status that a copy gets.
 *
 * @param mode permissions; the kind is ignored
 * @param owner the user id; only a superuser can keep it
 * @param group the group id; only a superuser can keep it
 * @param modified the modification time, in nanoseconds since 1970
 * @param attributes the {@code user.*} attributes
 */
public record FileMetadata(int mode, int owner, int group, long modified, Map<String, String> attributes) {}
