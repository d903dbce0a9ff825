package dev.paddock.executor.tck.context;

import java.io.IOException;
import java.util.List;

/** The ways in which a command leaves processes behind, each of which has outlived some executor. */
public enum Descendant {
    /** In the background, in the command's own group. */
    BACKGROUND("%s &"),
    /** In a session of its own. */
    SETSID("setsid /bin/sh -c %s &", "setsid"),
    /** With a parent that has ended: it hangs on no parent chain. */
    DOUBLE_FORK("( ( %s ) & )"),
    /** A daemon as the books have it: a session of its own, and a parent that has ended. */
    DAEMON("( setsid /bin/sh -c %s & )", "setsid"),
    /** Deaf to the terminal's end. */
    NOHUP("nohup /bin/sh -c %s >/dev/null 2>&1 &", "nohup"),
    /** Deaf to TERM. */
    TERM_IGNORED("( trap '' TERM; %s ) &"),
    /** A daemon that is deaf to TERM. */
    STUBBORN_DAEMON("( setsid /bin/sh -c %s & )", "setsid"),
    /** In a session of its own with no environment: no marker, no parent, no group. Only a sandbox holds it. */
    NAMELESS_DAEMON("( env -i setsid /bin/sh -c %s & )", "setsid", "env");

    private final String form;

    @SuppressWarnings("ImmutableEnumChecker") // what List.of makes is immutable
    private final List<String> tools;

    Descendant(String form, String... tools) {
        this.form = form;
        this.tools = List.of(tools);
    }

    public List<String> tools() {
        return tools;
    }

    /** Whether only {@link dev.paddock.executor.Guarantee#TREE_KILL} reaches it. */
    boolean needsTreeKill() {
        return this == NAMELESS_DAEMON;
    }

    /** Whether it dies of TERM. */
    boolean heedsTerm() {
        return this != TERM_IGNORED && this != STUBBORN_DAEMON;
    }

    /** Shell code that starts one. It reports to the witness, whose descriptor the shell must hold, and waits for ever. */
    public String start(TreeLivenessProbe witness, ContractContext trial) throws IOException {
        String never = trial.never();
        String wait = "read x < " + never + "; exit";
        String body = witness.report() + wait;
        return switch (this) {
                    case SETSID, DAEMON, NOHUP, NAMELESS_DAEMON -> form.formatted(Posix.quote(body));
                    case STUBBORN_DAEMON -> form.formatted(Posix.quote("trap '' TERM; " + body));
                    case BACKGROUND -> form.formatted("{ " + body + "; }");
                    case DOUBLE_FORK, TERM_IGNORED -> form.formatted(body);
                }
                + "\n";
    }
}
