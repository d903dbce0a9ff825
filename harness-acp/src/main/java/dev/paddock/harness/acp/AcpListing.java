package dev.paddock.harness.acp;

import java.nio.file.Path;
import java.time.Instant;

/**
 * A stored session in the list that an editor shows.
 *
 * @param id its name
 * @param cwd the directory that it works in
 * @param title the user's first message, in one line; may be empty
 * @param lastUsed when its last message was stored
 * @since 0.1
 */
public record AcpListing(String id, Path cwd, String title, Instant lastUsed) {}
