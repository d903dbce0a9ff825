package dev.paddock.executor.worktree;

import dev.paddock.executor.worktree.files.FileStatus;
import dev.paddock.executor.worktree.git.GitDirectoryRules;
import java.nio.file.Path;

/**
 * Chooses which entries of unknown purpose in a git directory are copied: the
 * regular files, in the order of listing, up to a bound. A file beyond it is moved to the quarantine if a
 * command changes it, and is lost if a command removes it.
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

    /** Returns whether to copy an entry, and counts it; always true for known entries. */
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
