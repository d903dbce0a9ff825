package dev.paddock.harness.tools.output;

/** Receives a command's output. */
public interface OutputSink {

    /**
     * Appends a block. Never throws to the thread that reads the command's output: bytes that
     * cannot be kept are counted and reported.
     *
     * @param block the bytes; the caller may change them afterwards
     * @param length how many of them to append
     * @return false if the sink accepts no more, and the block was not appended
     */
    boolean append(byte[] block, int length);
}
