package dev.paddock.cli.terminal;

import java.util.List;

/** Shows lines on a terminal: finished ones scroll, and each call replaces the live ones below them. Thread-safe. */
public interface Canvas extends AutoCloseable {

    /** Returns the terminal's width in columns. */
    int width();

    /**
     * Prints finished lines and replaces the live ones.
     *
     * @param finished lines of any length; their only control characters are those of {@link Style}
     * @param live the same, each shorter than the terminal is wide
     */
    void draw(List<String> finished, List<String> live);

    /** Returns which key stops the work that is shown. */
    String stopKey();

    /** Removes the live lines. */
    @Override
    void close();
}
