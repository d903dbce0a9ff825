package dev.paddock.executor.tck.context;

import dev.paddock.executor.ShellQuoting;
import java.io.IOException;
import java.util.List;

/**
 * The kinds of leftover descendant, each of which has outlived its command
 * under some executor.
 */
public enum Descendant {
    /** In the background, in the command's own process group. */
    BACKGROUND("%s &"),
    /** In its own session. */
    SETSID("setsid /bin/sh -c %s &", "setsid"),
    /** Double-forked: its parent has exited, so that no parent chain leads to it. */
    DOUBLE_FORK("( ( %s ) & )"),
    /** A classic daemon: its own session, and a parent that has exited. */
    DAEMON("( setsid /bin/sh -c %s & )", "setsid"),
    /** Ignores HUP. */
    NOHUP("nohup /bin/sh -c %s >/dev/null 2>&1 &", "nohup"),
    /** Ignores TERM. */
    TERM_IGNORED("( trap '' TERM; %s ) &"),
    /** A daemon that ignores TERM. */
    STUBBORN_DAEMON("( setsid /bin/sh -c %s & )", "setsid"),
    /**
     * A daemon whose first thread has ended while another one lives: the kernel shows it as a zombie
     * without an environment.
     */
    THREAD("( setsid perl -Mthreads -MPOSIX -e %s & )", "setsid", "perl"),
    /**
     * In its own session with an empty environment: no marker, no parent and no process group
     * identify it. Only a sandbox can contain it.
     */
    NAMELESS_DAEMON("( env -i setsid /bin/sh -c %s & )", "setsid", "env");

    /**
     * Ends the first thread with a system call; the other one reports when the kernel shows that. The
     * children use up process ids, so that a search that probes ids one by one would not probe the thread's.
     */
    private static final String TWO_THREADS = """
            for (1 .. 100) {
                my $child = fork;
                $child or POSIX::_exit(0); # exit would first destroy what all threads share: 0.1 s
                waitpid($child, 0);
            }
            threads->create(sub {
                my $state = "";
                until ($state =~ /[)] Z [^)]*$/) {
                    open(my $stat, "<", "/proc/$$/stat");
                    $state = <$stat>;
                    select(undef, undef, undef, 0.01);
                }
                open(my $probe, ">&=", 9);
                syswrite($probe, "u");
                select(undef, undef, undef, undef);
            })->detach();
            syscall((POSIX::uname())[4] eq "aarch64" ? 93 : 60, 0);
            """;

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

    /** Returns whether only {@link dev.paddock.executor.Guarantee#TREE_KILL} covers it. */
    boolean needsTreeKill() {
        return this == NAMELESS_DAEMON;
    }

    /** Returns whether TERM ends it. */
    boolean heedsTerm() {
        return this != TERM_IGNORED && this != STUBBORN_DAEMON;
    }

    /**
     * Returns shell code that starts such a descendant. It reports to the probe, whose descriptor
     * the shell must hold, and waits forever.
     */
    public String start(TreeLivenessProbe probe, ContractContext context) throws IOException {
        String never = context.never();
        String wait = "read x < " + never + "; exit";
        String body = probe.report() + wait;
        return switch (this) {
                    case SETSID, DAEMON, NOHUP, NAMELESS_DAEMON -> form.formatted(ShellQuoting.posix(body));
                    case STUBBORN_DAEMON -> form.formatted(ShellQuoting.posix("trap '' TERM; " + body));
                    case THREAD -> form.formatted(ShellQuoting.posix(TWO_THREADS));
                    case BACKGROUND -> form.formatted("{ " + body + "; }");
                    case DOUBLE_FORK, TERM_IGNORED -> form.formatted(body);
                }
                + "\n";
    }
}
