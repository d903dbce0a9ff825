package dev.paddock.harness.tools.output;

/** Takes what a command writes. */
public interface OutputSink {

    /**
     * Takes a block. Never throws at who reads the command's output: what cannot be kept is counted, and told.
     *
     * @param block the bytes, which may be changed afterwards
     * @param length how many of them
     * @return false if no more is wanted, and the block was not taken
     */
    boolean append(byte[] block, int length);
}
