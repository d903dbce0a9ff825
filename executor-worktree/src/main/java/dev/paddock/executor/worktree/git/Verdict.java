package dev.paddock.executor.worktree.git;

import java.util.Optional;

/**
 * The decision on an entry of a git directory that a command has created, changed or removed. Each
 * reason is a clause for a message, such as "git runs the programs in it".
 */
public sealed interface Verdict {

    /** The entry stays as it is, and the result does not mention it. */
    record Allowed() implements Verdict {}

    /**
     * The entry stays as it is, and the result mentions it.
     *
     * @param reason why the user should know
     */
    record Reported(String reason) implements Verdict {}

    /**
     * The entry is moved to the quarantine, and nothing takes its place.
     *
     * @param reason why it may not stay
     */
    record Quarantined(String reason) implements Verdict {}

    /**
     * The command's version, if there is one, is moved to the quarantine, and the version from
     * before the command takes its place.
     *
     * @param reason why the change may not stay
     */
    record Restored(String reason) implements Verdict {}

    /**
     * The entry is moved to the quarantine, and a new file, never the same inode, takes its place.
     *
     * @param reason why it may not stay
     * @param content the new file's content
     */
    record Replaced(String reason, String content) implements Verdict {}

    /** Returns the verdict that lets an entry stay, with a remark if there is one. */
    static Verdict reported(Optional<String> remark) {
        return remark.<Verdict>map(Reported::new).orElseGet(Verdict::allowed);
    }

    /** Returns the verdict that lets an entry stay. */
    static Verdict allowed() {
        return new Allowed();
    }
}
