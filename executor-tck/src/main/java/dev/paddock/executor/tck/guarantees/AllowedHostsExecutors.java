package dev.paddock.executor.tck.guarantees;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.ExecutorOptions;
import dev.paddock.executor.Guarantee;
import dev.paddock.executor.ShellQuoting;
import dev.paddock.executor.policy.NetworkPolicy;
import dev.paddock.executor.policy.SandboxPolicy;
import dev.paddock.executor.tck.context.ContractContext;
import dev.paddock.executor.tck.context.Outcome;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/** Creates executors with a network of allowed hosts, and commands that use it. */
final class AllowedHostsExecutors {
    /**
     * Subroutines: {@code dial(HOST, PORT)} returns a connection, {@code rest(S)} the data from it
     * until its end, or prints the error.
     */
    private static final String LIBRARY = """
            use Socket; alarm 60; $| = 1;
            sub dial {
              my $a = inet_aton($_[0]) or die "no such name\\n";
              socket(my $s, PF_INET, SOCK_STREAM, 0) or die $!;
              connect($s, pack_sockaddr_in($_[1], $a)) or die "$!\\n";
              return $s }
            sub rest {
              my ($s) = @_; my $all = '';
              while (1) {
                my $n = sysread($s, my $part, 65536);
                if (!defined $n) { print "error: $!"; exit }
                return $all if $n == 0;
                $all .= $part } }
            my ($h, $p) = @ARGV;
            """;

    private AllowedHostsExecutors() {}

    /** Skips the test where the subject's provider does not claim to enforce the policy. */
    static void assume(ContractContext context) {
        assumeTrue(
                RequestedPolicy.probed(context).contains(Guarantee.NETWORK_ALLOWED_HOSTS),
                () -> context.executor().name() + " does not claim " + Guarantee.NETWORK_ALLOWED_HOSTS);
    }

    /** Creates an executor; skips the test if it is unavailable. */
    static CommandExecutor executor(ContractContext context, String... rules) {
        return executor(context, UnaryOperator.identity(), rules);
    }

    /** Creates an executor with further options; skips the test if it is unavailable. */
    static CommandExecutor executor(ContractContext context, UnaryOperator<ExecutorOptions> more, String... rules) {
        assume(context);
        SandboxPolicy policy = RequestedPolicy.base(context.subject().shared(), context)
                .network(NetworkPolicy.allow(rules))
                .build();
        return RequestedPolicy.provider(context)
                .create(more.apply(
                        ExecutorOptions.of(policy).settings(context.subject().settings())));
    }

    /** Returns a command that runs perl after the subroutines, with the server's {@code $h} and {@code $p}. */
    static String perl(NamedServer server, String script, Object... arguments) {
        return perl(server.host(), server.port(), script, arguments);
    }

    static String perl(String host, int port, String script, Object... arguments) {
        String words = List.of(arguments).stream()
                .map(word -> " " + ShellQuoting.posix(String.valueOf(word)))
                .collect(Collectors.joining());
        return "perl -e " + ShellQuoting.posix(LIBRARY + script) + " " + host + " " + port + words + " 2>&1";
    }

    static Outcome run(ContractContext context, CommandExecutor executor, String command) throws InterruptedException {
        return context.start(executor, command, context.options()).outcome();
    }
}
