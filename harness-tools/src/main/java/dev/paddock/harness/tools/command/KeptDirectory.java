package dev.paddock.harness.tools.command;

import dev.paddock.executor.policy.PathMapping;
import dev.paddock.harness.files.access.FileException;
import dev.paddock.harness.files.workspace.Entry;
import dev.paddock.harness.files.workspace.WorkspaceFiles;
import dev.paddock.harness.tools.text.Excerpt;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Keeps the directory in which a command ended, as the start directory of the next one. A command's report is
 * untrusted: the directory is kept only if {@link WorkspaceFiles} finds it in the worktree, with no link that leads
 * out. Of concurrent commands, the last to end outside its start directory decides. Thread-safe.
 */
public final class KeptDirectory {
    private static final int MAX_SHOWN = 200;

    private final PathMapping worktree;
    private final WorkspaceFiles files;
    private final String first;
    private final List<String> pending = new ArrayList<>();
    private String current;

    /**
     * Creates an instance that starts in the first directory.
     *
     * @param worktree the worktree; no other directory is kept
     * @param first the command path of the first command's directory
     * @param files the worktree's files
     */
    public KeptDirectory(PathMapping worktree, String first, WorkspaceFiles files) {
        this.worktree = worktree;
        this.first = first;
        this.current = first;
        this.files = files;
    }

    /**
     * Returns where the next command starts: the first directory if the kept one no longer exists.
     */
    synchronized String next() {
        if (!current.equals(first) && !found(current).equals(Optional.of(current))) {
            giveUp(current);
        }
        return current;
    }

    /** Falls back to the first directory, unless another command has replaced the unusable one. */
    synchronized void giveUp(String unusable) {
        if (!current.equals(first) && current.equals(unusable)) {
            pending.clear();
            pending.add("[" + shown(current) + " cannot be used any more: commands start in " + first + " again.]");
            current = first;
        }
    }

    /** Returns where the next command starts, unless that is the first directory. */
    synchronized Optional<String> moved() {
        return current.equals(first) ? Optional.empty() : Optional.of(current);
    }

    /**
     * Applies a command's report.
     *
     * @param in where the command started
     * @param reported the directory in which it reports that it ended; empty without a report
     * @return notices for the model
     */
    synchronized List<String> ended(String in, Optional<String> reported) {
        List<String> notices = new ArrayList<>(pending);
        pending.clear();
        Optional<String> there = reported.flatMap(this::found);
        there.filter(path -> !found(in).equals(there)).ifPresent(path -> current = path);
        if (reported.isPresent() && there.isEmpty() && !reported.get().equals(in)) {
            notices.add("[The command ended in " + shown(reported.get())
                    + ", which is no directory of the worktree: the next one starts in " + shown(current) + ".]");
        } else if (!current.equals(first)) {
            notices.add("[The next command starts in " + shown(current) + ".]");
        }
        return notices;
    }

    /** Returns the path, without links, of a directory of the worktree. */
    private Optional<String> found(String path) {
        try {
            String resolved = files.resolved(path);
            boolean isInside = worktree.toHost(resolved).isPresent();
            return isInside && files.stat(resolved).kind() == Entry.Kind.DIRECTORY
                    ? Optional.of(resolved)
                    : Optional.empty();
        } catch (FileException refused) {
            return Optional.empty();
        }
    }

    private static String shown(String path) {
        return Excerpt.cut(path, MAX_SHOWN).replaceAll("\\p{Cntrl}", "?");
    }
}
