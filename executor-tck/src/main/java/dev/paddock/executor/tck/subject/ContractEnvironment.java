package dev.paddock.executor.tck.subject;

import java.nio.file.Path;

/**
 * What the suite gives to the implementer who makes an executor for it.
 *
 * @param sharedDirectory a directory of the host, real and absolute, that the executor's commands must be able to read and
 *     write, under whatever path they see it at. The suite makes one per test class, writable for everybody, and
 *     removes it. Nothing else of the host needs to be shared
 */
public record ContractEnvironment(Path sharedDirectory) {}
