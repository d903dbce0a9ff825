package dev.paddock.executor.run;

/**
 * Receives a command's output line by line, as the command writes it.
 *
 * @since 0.1
 */
@FunctionalInterface
public interface LineHandler {

    /**
     * Takes a line. Calls of one run never overlap; the command's output waits while one runs.
     *
     * @param from the stream
     * @param line the text without its end (LF, CR LF or CR); of a longer line than the run's
     *     {@code maxLine}, a part
     * @throws Exception if the line cannot be used: the handler receives no more
     */
    void line(OutputSource from, String line) throws Exception;
}
