package dev.paddock.executor.worktree;

import dev.paddock.executor.worktree.files.FileStatus;
import dev.paddock.executor.worktree.git.GitDirectoryRules;
import java.nio.file.Path;

/**
 * Chooses the entries of one git directory that are copied although nobody knows what they are for: the
 * regular files, in the order of listing, up to a bound. A file beyond it is moved to the quarantine if a
 * command changes it, and stays away if a command removes it.
 */
final class UnknownEntries {
    private static final int MAX_FILES = 256;
    private static final long MAX_BYTES = 4L << 20;

    private final GitDirectoryRules rules;
    private int files;
    private long bytes;

    UnknownEntries(GitDirectoryRules rules) {
        this.rules = rules;
    }

    /** Returns whether an entry is to be copied, and counts it; always true of a known one. */
    boolean admit(Path relative, FileStatus status) {
        if (!rules.isUnknown(relative)) {
            return true;
        }
        if (!status.isFile() || files == MAX_FILES || status.size() > MAX_BYTES - bytes) {
            return false;
        }
        files++;
        bytes += status.size();
        return true;
    }
}
