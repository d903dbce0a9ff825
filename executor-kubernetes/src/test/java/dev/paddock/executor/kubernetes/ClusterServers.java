package dev.paddock.executor.kubernetes;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.paddock.executor.tck.subject.HostSignals;
import dev.paddock.executor.tck.subject.SuiteEnvironment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The servers of a cluster that this run of the tests has started itself: no other may be broken. {@code
 * PADDOCK_TEST_CLUSTER} names its directory.
 */
final class ClusterServers {
    private final Path directory;

    private ClusterServers(Path directory) {
        this.directory = directory;
    }

    /** Returns the servers; skips the test if the cluster was named, and so is somebody else's. */
    static ClusterServers own() {
        Path kubeconfig = TestCluster.kubeconfig();
        String own = SuiteEnvironment.variables().getOrDefault("PADDOCK_TEST_CLUSTER", "");
        assumeTrue(
                !own.isEmpty() && kubeconfig.startsWith(own),
                "the cluster was not started by this run of the tests: its servers may not be stopped");
        return new ClusterServers(Path.of(own));
    }

    private List<String[]> rows() throws IOException {
        try (Stream<String> lines = Files.lines(directory.resolve("pids"))) {
            return lines.map(line -> line.split(" ", -1)).toList();
        }
    }

    private long pid(String server) throws IOException {
        for (String[] row : rows()) {
            if (row[0].equals(server) && started(row[1]).equals(row[2])) {
                return Long.parseLong(row[1]);
            }
        }
        throw new IOException("the cluster's " + server + " does not run");
    }

    private static String started(String pid) throws IOException {
        String stat = Files.readString(Path.of("/proc", pid, "stat"));
        return stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1)[19];
    }

    void stop(String server) throws Exception {
        send("STOP", pid(server));
    }

    void go(String server) throws Exception {
        send("CONT", pid(server));
    }

    private static void send(String signal, long pid) throws IOException {
        if (!HostSignals.send(signal, pid)) {
            throw new IOException("the process " + pid + " of the cluster could not be sent SIG" + signal);
        }
    }

    /** A server that has been killed, as it was started. */
    record Killed(String name, List<String> command, Path directory) {}

    Killed kill(String server) throws Exception {
        long pid = pid(server);
        String command = Files.readString(Path.of("/proc", Long.toString(pid), "cmdline"));
        Killed killed = new Killed(
                server,
                Stream.of(command.split("\0", -1))
                        .filter(word -> !word.isEmpty())
                        .toList(),
                Files.readSymbolicLink(Path.of("/proc", Long.toString(pid), "cwd")));
        send("KILL", pid);
        ProcessHandle.of(pid).ifPresent(process -> process.onExit().join());
        return killed;
    }

    /**
     * Starts a server again, and records it for the end of the cluster. It is no child of this JVM, whose
     * idle processes other test classes observe.
     */
    void restart(Killed server) throws Exception {
        List<String> command = new ArrayList<>(
                List.of("sh", "-c", "log=$1; shift; setsid \"$@\" >>\"$log\" 2>&1 </dev/null & echo $!", "sh"));
        command.add(directory.resolve("log/" + server.name() + ".log").toString());
        command.addAll(server.command());
        Process starting = new ProcessBuilder(command)
                .directory(server.directory().toFile())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String pid = starting.inputReader().readLine();
        starting.waitFor();
        String rows = rows().stream()
                .map(row -> row[0].equals(server.name())
                        ? row[0] + " " + pid + " " + restarted(pid)
                        : String.join(" ", row))
                .collect(Collectors.joining("\n", "", "\n"));
        Files.writeString(directory.resolve("pids"), rows);
    }

    private static String restarted(String pid) {
        try {
            return started(pid);
        } catch (IOException ended) {
            return "0";
        }
    }
}
