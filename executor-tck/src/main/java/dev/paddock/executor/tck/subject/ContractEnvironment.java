package dev.paddock.executor.tck.subject;

import java.nio.file.Path;

/**
 * The suite's input to the implementer's factory of executors.
 *
 * @param sharedDirectory a directory of the host, real and absolute, that the executor's commands
 *     must be able to read and write, at whatever path they see it. The suite makes one per test
 *     class, writable for every user, and removes it. No other directory of the host needs to be
 *     shared
 * @param keptDirectory a directory of the host, real and absolute, for files that the executor keeps
 *     for its user, such as a quarantine. The suite makes one per test class and removes it, including
 *     trees too deep for a single path
 * @since 0.1
 */
public record ContractEnvironment(Path sharedDirectory, Path keptDirectory) {}
