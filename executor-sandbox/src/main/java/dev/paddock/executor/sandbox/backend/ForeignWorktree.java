package dev.paddock.executor.sandbox.backend;

import dev.paddock.executor.log.LateLogger;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * A worktree that belongs to another user than commands, as in many CI containers. Commands of root have none of root's
 * capabilities, so the permissions of another user's files bind them.
 */
public record ForeignWorktree(int user, int group, boolean isWritable) {
    private static final System.Logger LOG = LateLogger.of(ForeignWorktree.class);
    private static final int ROOT = 0;
    private static final int GROUP_WRITES = 0020;
    private static final int OTHERS_WRITE = 0002;

    /**
     * Git refuses another user's repository. In the sandbox, its configuration can run only what a command could run.
     */
    static final Map<String, String> GIT =
            Map.of("GIT_CONFIG_COUNT", "1", "GIT_CONFIG_KEY_0", "safe.directory", "GIT_CONFIG_VALUE_0", "*");

    /** Returns the worktree if it belongs to another user than this process's. */
    static Optional<ForeignWorktree> find(Path worktree) {
        try {
            return of(
                    (int) Files.getAttribute(Path.of("/proc/self"), "unix:uid"),
                    Files.readAttributes(worktree, "unix:uid,gid,mode"));
        } catch (IOException | UnsupportedOperationException unknown) {
            return Optional.empty(); // macOS has no /proc
        }
    }

    private static Optional<ForeignWorktree> of(int self, Map<String, Object> status) {
        int user = (int) status.getOrDefault("uid", self);
        int group = (int) status.getOrDefault("gid", ROOT);
        int mode = (int) status.getOrDefault("mode", 0);
        boolean isWritable =
                (mode & OTHERS_WRITE) != 0 || (self == ROOT && group == ROOT && (mode & GROUP_WRITES) != 0);
        return user == self
                ? Optional.empty()
                : Optional.of(new ForeignWorktree(user, group, self != ROOT || isWritable));
    }

    /**
     * Explains why commands cannot write to a worktree, if its owner is the reason.
     *
     * @param worktree its real path
     * @return the reason and the remedy, as a clause and a sentence; empty if the owner is no reason
     */
    public static Optional<String> obstacle(Path worktree) {
        return find(worktree)
                .filter(foreign -> !foreign.isWritable)
                .map(foreign -> "it belongs to user " + foreign.user
                        + ", and root in a sandbox is bound by permissions. Start the program as that user"
                        + " (setpriv --reuid=" + foreign.user + " --regid=" + foreign.group
                        + " --clear-groups PROGRAM), change the owner, or use the docker backend, whose"
                        + " commands run as the owner.");
    }

    /** Warns if root's commands cannot write to the worktree. */
    static void report(Path worktree) {
        obstacle(worktree)
                .ifPresent(why -> LOG.log(
                        System.Logger.Level.WARNING, () -> "Commands cannot write to " + worktree + ": " + why));
    }
}
