package dev.paddock.harness.output;

import java.nio.file.Path;
import java.util.Optional;

/**
 * What of an output is in its file.
 *
 * @param file the file, on the host
 * @param bytes how many bytes it holds, from the output's beginning
 * @param failure why it could not be written to the end; empty if the cap alone ended it, or nothing did
 */
public record LogState(Path file, long bytes, Optional<String> failure) {}
