package dev.paddock.cli.terminal;

import java.util.List;

/**
 * Shows lines on a terminal: finished ones scroll, and below them stand live ones that each call
 * replaces. Thread-safe.
 */
public interface Canvas extends AutoCloseable {

    /** Returns the terminal's width in columns. */
    int width();

    /**
     * Prints finished lines and replaces the live ones.
     *
     * @param finished lines of any length; they hold no control characters but those of {@link
     *     Style}
     * @param live the same, each shorter than the terminal is wide
     */
    void draw(List<String> finished, List<String> live);

    /** Returns which key stops the work that is shown. */
    String stopKey();

    /** Removes the live lines. */
    @Override
    void close();
}
