package dev.paddock.cli.editor;

/** Receives the keys that do not edit. Each method is called on a separate thread. */
public interface EditorKeys {

    /** Returns whether the model is at work. */
    boolean isAtWork();

    /** Aborts the run, if there is one: Escape. */
    void abort();

    /** Ends the run, if there is one, or else the program, as Ctrl-C does. */
    void interrupt();
}
