package dev.paddock.cli.editor;

/** Receives the keys that do not edit. Each method is called on a thread of its own. */
public interface EditorKeys {

    /** Returns whether the model is at work. */
    boolean isAtWork();

    /** Aborts the run, if there is one: Escape. */
    void abort();

    /** Ends as Ctrl-C does: the run, if there is one, or else the program. */
    void interrupt();
}
