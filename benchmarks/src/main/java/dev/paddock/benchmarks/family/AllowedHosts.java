package dev.paddock.benchmarks.family;

import dev.paddock.benchmarks.measure.Family;
import dev.paddock.benchmarks.measure.Scope;
import dev.paddock.benchmarks.measure.Table;
import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.RunOptions;
import dev.paddock.executor.bwrap.BwrapExecutor;
import dev.paddock.executor.host.HostExecutor;
import dev.paddock.executor.policy.NetworkPolicy;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.policy.SandboxPolicy;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Measures what a network of allowed hosts costs over the loopback, in turns with a program on the
 * host that does the same, and with a sandbox whose network is off.
 */
final class AllowedHosts implements Family {
    private static final String CONNECTION = "connection, µs";
    private static final String THROUGHPUT = "MiB/s";
    private static final String UNKNOWN = "unknown name, µs";
    private static final String START = "start, ms";
    private static final String HOST = "host";
    private static final String OFF = "bubblewrap, network off";
    private static final String ALLOWED = "bubblewrap, allowed hosts";
    private static final List<Double> NONE = List.of(Double.NaN, Double.NaN, Double.NaN);

    private static final int CONNECTIONS = 200;
    private static final byte ONE_BYTE = 'c';

    /** Prints the medians of connections and of unknown names, which the host is not asked for. */
    private static final String CLIENT = """
            use Socket; use Time::HiRes 'time'; $| = 1;
            my ($h, $p, $n, $names) = @ARGV; my $a = inet_aton($h) or die "no such name";
            sub dial { socket(my $s, PF_INET, SOCK_STREAM, 0); connect($s, pack_sockaddr_in($p, $a)) or die $!; $s }
            sub median { my @t = sort { $a <=> $b } @_; @t ? 1e6 * $t[@t / 2] : 'NaN' }
            my @t; for (1..$n) { my $b = time; my $s = dial(); syswrite $s, 'c'; sysread $s, my $x, 1; push @t, time - $b }
            print median(@t), "\\n";
            { my $s = dial(); syswrite $s, 't'; my $b = time; my $all = 0;
              while (my $c = sysread $s, my $x, 1 << 20) { $all += $c } print $all / 1048576 / (time - $b), "\\n" }
            @t = (); for (1..$names) { my $b = time; inet_aton("unknown$_.example"); push @t, time - $b }
            print median(@t), "\\n";
            """;

    @Override
    public String name() {
        return "network";
    }

    @Override
    public Table measure(Scope scope) throws IOException {
        Table table = new Table(
                name(), "a network of allowed hosts, over the loopback", CONNECTION, THROUGHPUT, UNKNOWN, START);
        table.goal(ALLOWED, CONNECTION, "≤ host + 500");
        table.goal(ALLOWED, THROUGHPUT, "≥ 900");
        table.goal(ALLOWED, UNKNOWN, "≤ 1000");
        table.goal(ALLOWED, START, "≤ off + 10");
        if (!scope.wants("bwrap")) {
            return table;
        }
        try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getByAddress(new byte[] {127, 0, 0, 1}))) {
            long bytes = scope.ifQuick(1 << 26, 1 << 29);
            Thread.ofVirtual().start(() -> serve(server, bytes));
            int rounds = scope.rounds(3, 15);
            Map<String, List<List<Double>>> samples = new LinkedHashMap<>();
            for (int round = 0; round < rounds; round++) {
                round(scope, server.getLocalPort(), samples);
                System.err.print(".");
            }
            samples.forEach((row, all) -> table.add(row, row, all.size(), medians(all)));
        } catch (RuntimeException fault) {
            table.miss(ALLOWED, String.valueOf(fault.getMessage()));
        }
        return table;
    }

    private static void round(Scope scope, int port, Map<String, List<List<Double>>> samples) throws IOException {
        Path worktree = scope.place().worktree();
        Path quarantine = scope.place().fresh("network-");
        Files.writeString(worktree.resolve("client.pl"), CLIENT);
        // A name of this machine's own, whose address the host looks up in a file.
        String host = InetAddress.getLocalHost().getHostName();
        try (CommandExecutor plain = HostExecutor.create()) {
            add(samples, HOST, client(plain, worktree, host, port, 0), Double.NaN);
        }
        measure(samples, OFF, worktree, quarantine, NetworkPolicy.off(), host, port);
        NetworkPolicy allowed = NetworkPolicy.allow(host + ":" + port + "/private");
        measure(samples, ALLOWED, worktree, quarantine, allowed, host, port);
    }

    private static void measure(
            Map<String, List<List<Double>>> samples,
            String row,
            Path worktree,
            Path quarantine,
            NetworkPolicy network,
            String host,
            int port)
            throws IOException {
        long began = System.nanoTime();
        try (BwrapExecutor executor = BwrapExecutor.builder()
                .policy(SandboxPolicy.builder(PathMapping.same(worktree))
                        .network(network)
                        .build())
                .warmSlots(0)
                .quarantine(quarantine)
                .build()) {
            run(executor, worktree, "true");
            double start = (System.nanoTime() - began) / 1e6;
            boolean isOff = network.equals(NetworkPolicy.off());
            add(samples, row, isOff ? NONE : client(executor, worktree, host, port, 50), start);
        }
    }

    private static void add(Map<String, List<List<Double>>> samples, String row, List<Double> client, double start) {
        List<Double> all = new ArrayList<>(client);
        all.add(start);
        samples.computeIfAbsent(row, unused -> new ArrayList<>()).add(all);
    }

    private static List<Double> client(CommandExecutor executor, Path worktree, String host, int port, int names)
            throws IOException {
        String seen = run(
                executor, worktree, "perl client.pl " + host + " " + port + " " + CONNECTIONS + " " + names + " 2>&1");
        List<Double> figures = seen.lines()
                .filter(line -> line.matches("[0-9.e+]+|NaN"))
                .map(Double::valueOf)
                .collect(Collectors.toList());
        if (figures.size() != NONE.size()) {
            throw new IOException("the client failed: " + seen.strip());
        }
        return figures;
    }

    private static String run(CommandExecutor executor, Path worktree, String command) throws IOException {
        try {
            return executor.run(command, RunOptions.in(worktree.toString())).outText();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new IOException(stopped);
        }
    }

    private static List<Double> medians(List<List<Double>> rounds) {
        List<Double> medians = new ArrayList<>();
        for (int column = 0; column < rounds.getFirst().size(); column++) {
            int at = column;
            List<Double> sorted =
                    rounds.stream().map(figures -> figures.get(at)).sorted().toList();
            medians.add(sorted.get(sorted.size() / 2));
        }
        return medians;
    }

    private static void serve(ServerSocket server, long bytes) {
        byte[] block = new byte[1 << 18];
        while (!server.isClosed()) {
            try (Socket client = server.accept()) {
                if (client.getInputStream().read() == ONE_BYTE) {
                    client.getOutputStream().write(block, 0, 1);
                    continue;
                }
                for (long left = bytes; left > 0; left -= block.length) {
                    client.getOutputStream().write(block);
                }
            } catch (IOException ended) {
                // the client's, which has failed and says so, or the server's
            }
        }
    }
}
