package dev.paddock.harness.files.workspace;

/**
 * The result of a write.
 *
 * @param path the written file, with links resolved: relative to the first root if it is in it, absolute elsewhere
 * @param created whether there was none before
 * @since 0.1
 */
public record Written(String path, boolean created) {}
