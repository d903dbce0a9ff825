package dev.paddock.executor.worktree.git;

import java.util.Optional;

/**
 * The decision on an entry of a git directory that a command has created, changed or removed. Each reason is a clause
 * for a message, such as "git runs the programs in it".
 */
public sealed interface Verdict {

    /** The entry stays, and the result does not mention it. */
    record Allowed() implements Verdict {}

    /**
     * The entry stays, and the result mentions it.
     *
     * @param reason why the user should know
     */
    record Reported(String reason) implements Verdict {}

    /**
     * The entry is quarantined.
     *
     * @param reason why it may not stay
     */
    record Quarantined(String reason) implements Verdict {}

    /**
     * The command's version, if any, is quarantined, and the version from before the command restored.
     *
     * @param reason why the change may not stay
     */
    record Restored(String reason) implements Verdict {}

    /**
     * The entry is quarantined, and a new file, never the same inode, replaces it.
     *
     * @param reason why it may not stay
     * @param content the new file's content
     */
    record Replaced(String reason, String content) implements Verdict {}

    static Verdict reported(Optional<String> remark) {
        return remark.<Verdict>map(Reported::new).orElseGet(Verdict::allowed);
    }

    static Verdict allowed() {
        return new Allowed();
    }
}
