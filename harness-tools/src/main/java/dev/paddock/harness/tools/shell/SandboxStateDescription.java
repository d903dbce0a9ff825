package dev.paddock.harness.tools.shell;

import dev.paddock.executor.Guarantee;
import java.util.Set;

/**
 * Describes to the model which state persists from one command to the next (C17), and which is
 * shared with others.
 */
final class SandboxStateDescription {
    private SandboxStateDescription() {}

    /** Returns whole sentences. */
    static String of(Set<Guarantee> guarantees) {
        return temporary(guarantees) + " " + home(guarantees) + " " + loopback(guarantees);
    }

    private static String temporary(Set<Guarantee> guarantees) {
        return guarantees.contains(Guarantee.PRIVATE_TMP)
                ? "/tmp is the session's own: a file there lasts from command to command, and is removed when the session ends."
                : "/tmp is not the session's own: it is shared with whatever else runs there, or closed; put temporary"
                        + " files below \"${TMPDIR:-/tmp}\" under names of your own, or in the worktree.";
    }

    private static String home(Set<Guarantee> guarantees) {
        return guarantees.contains(Guarantee.PRIVATE_HOME)
                ? "$HOME is the session's own as well: a build cache there serves the next command."
                : "$HOME is not the session's own: what a command changes there, others find after the session.";
    }

    private static String loopback(Set<Guarantee> guarantees) {
        if (guarantees.contains(Guarantee.PRIVATE_LOOPBACK)) {
            return "localhost is the session's own: a server in one command answers the others on any port.";
        }
        return guarantees.contains(Guarantee.NETWORK_OFF)
                ? "Do not count on localhost: with the network off it may be closed; let programs talk through pipes or"
                        + " files."
                : "localhost is not the session's own: a server in one command answers the others, and other programs"
                        + " there; its port may be taken.";
    }
}
