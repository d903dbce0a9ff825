package dev.paddock.executor.run;

/**
 * Receives a command's output as bytes, in the blocks in which it is read.
 *
 * @since 0.1
 */
@FunctionalInterface
public interface ChunkHandler {

    /**
     * Takes a block. Calls of one run never overlap; the command's output waits while one runs.
     *
     * @param from the stream
     * @param bytes 1 to 65,536 bytes, which the handler may keep
     * @throws Exception if the block cannot be used: the handler receives no more
     */
    void chunk(OutputSource from, byte[] bytes) throws Exception;
}
