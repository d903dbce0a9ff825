package dev.paddock.executor.worktree;

import dev.paddock.executor.log.LateLogger;
import dev.paddock.executor.path.PathBytes;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.util.Map;

/**
 * The protected paths that could not be settled.
 *
 * @param stuck the reasons, by path
 */
record Poison(Map<Path, String> stuck) {
    private static final Logger LOG = LateLogger.of(Poison.class);

    static final Poison NONE = new Poison(Map.of());

    /** Returns the poison of a worktree whose settlement has failed, and logs the failure. */
    static Poison by(Path root, Throwable fault) {
        LOG.log(Level.WARNING, "The worktree's protected paths could not be settled", fault);
        return new Poison(Map.of(root, "its protected paths could not be examined: " + fault));
    }

    boolean isEmpty() {
        return stuck.isEmpty();
    }

    /** Returns the sentence for the settled command's result. */
    String notice() {
        return "A program of the host that is used in this worktree may run a file that a command has planted. "
                + describe() + "All commands of the worktree are ended, and none is started until that is resolved.";
    }

    /** Returns why no command is started. */
    String refusal(Path root) {
        return "no command is started in '" + PathBytes.escaped(root)
                + "': an earlier one has left files there that programs of the host would obey. " + describe()
                + "Move them away, or accept your own changes by 'paddock gc --accept PATH'; then run"
                + " the command again.";
    }

    private String describe() {
        StringBuilder text = new StringBuilder();
        stuck.forEach((path, why) -> text.append("'")
                .append(PathBytes.escaped(path))
                .append("' was not moved to the quarantine: ")
                .append(why)
                .append(". "));
        return text.toString();
    }
}
