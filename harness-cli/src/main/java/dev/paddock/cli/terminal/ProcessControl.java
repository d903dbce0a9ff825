package dev.paddock.cli.terminal;

import java.io.PrintStream;

/**
 * What the program can do only in a process of its own: receive signals, use descriptors that may lead to a terminal,
 * and end the process. A program called within another one has {@link #NONE} of it.
 */
public interface ProcessControl {
    /** For a program without its own process: no terminal, no signals, and no effect on the process. */
    ProcessControl NONE = new None();

    /** Returns whether a standard descriptor, 0 to 2, leads to a terminal. */
    boolean leadsToTerminal(int descriptor);

    /**
     * Installs an action instead of a signal's default action.
     *
     * @param signal the signal's name without SIG
     */
    void onSignal(String signal, Runnable action);

    /** Registers an action for the process's end, except by SIGKILL or {@link #halt}. */
    void atEnd(Runnable action);

    /** Redirects what libraries print: it must not mix with a protocol, or with a line being edited. */
    void redirectPrints(PrintStream out, PrintStream err);

    /** Ends the process, which runs its registered actions. Returns if there is none to end. */
    void exit(int code);

    /** Ends the process at once. Returns if there is none to end. */
    void halt(int code);

    /** See {@link #NONE}. */
    final class None implements ProcessControl {
        private None() {}

        @Override
        public boolean leadsToTerminal(int descriptor) {
            return false;
        }

        @Override
        public void onSignal(String signal, Runnable action) {}

        @Override
        public void atEnd(Runnable action) {}

        @Override
        public void redirectPrints(PrintStream out, PrintStream err) {}

        @Override
        public void exit(int code) {}

        @Override
        public void halt(int code) {}
    }
}
