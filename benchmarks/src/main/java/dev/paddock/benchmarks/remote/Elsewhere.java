package dev.paddock.benchmarks.remote;

import dev.paddock.executor.CommandExecutor;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Reaches one other machine: by Paddock's executor, and by a program that people use for that. */
interface Elsewhere extends AutoCloseable {
    /** Opens the connection by which the program of {@link #line} reaches the machine, and others too. */
    @FunctionalInterface
    interface Opening {
        /**
         * Opens it.
         *
         * @throws IOException if the machine or the program is not available
         * @throws dev.paddock.executor.ExecutorException likewise
         */
        Elsewhere open() throws IOException;
    }

    /** Returns the word with which the rows' names begin. */
    String name();

    /** Returns what the labels call the machine. */
    String label();

    /** Returns what the labels call the program. */
    String program();

    /** Creates an executor without files, ready for commands; the caller closes it. */
    CommandExecutor open();

    /** Creates an executor that synchronizes a worktree; the caller closes it. */
    CommandExecutor open(Path worktree);

    /** Returns the words before a shell command that the program runs there. */
    List<String> line();

    /** Returns a script that runs {@code echo} in a place that is made for it, as a new executor does. */
    String fresh();

    /** Returns a script that copies the directory {@code $TREE} into the new directory {@code $TO} there, by tar. */
    String tar();

    /** Returns a script that makes {@code $TO} there equal to {@code $TREE}, by rsync; empty where it has no way in. */
    Optional<String> rsync();

    /** Returns a directory there that is removed with this, for the programs' copies. */
    String scratch();

    @Override
    void close();
}
