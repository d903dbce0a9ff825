package dev.paddock.executor.docker;

import dev.paddock.executor.docker.container.ContainerRemoval;
import dev.paddock.executor.docker.engine.Engine;
import dev.paddock.executor.tck.subject.HostSignals;
import dev.paddock.executor.tck.subject.Prerequisite;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/**
 * Runs an engine of the tests' own, separate from the machine's, that may be stopped, killed and
 * frozen.
 *
 * <p>It runs in a network namespace of its own: dockerd removes the link {@code docker0} when it starts
 * without a bridge, whoever created it, and tests of other JVMs try every address of the machine.
 */
final class OwnEngine implements AutoCloseable {
    /**
     * Stops the engine when this script's input ends, which happens when this JVM dies; exits when
     * the engine does.
     */
    private static final String KEEPER = """
        exec 3<&0
        "$@" 3<&- &
        engine=$!
        { read -r line <&3; kill "$engine"; } &
        echo "$engine"
        wait "$engine"
        kill "$!"
        """;

    /** Runs a program in a new network namespace: LINKS PROGRAM…, where LINKS is a script. */
    private static final List<String> OWN_NETWORK =
            List.of("unshare", "--net", "sh", "-c", "ip link set lo up && eval \"$1\" && shift && exec \"$@\"", "sh");

    private static final String NO_LINK = ":";

    private static final String BRIDGE = "paddock0";

    private static final Path DEFAULT_BRIDGE = Path.of("/sys/class/net/docker0/ifindex");

    private final Path directory;
    private final String links;
    private final List<String> options;
    private final String defaultBridge = defaultBridge();
    private Process keeper;
    private long pid;

    private OwnEngine(Path directory, String links, List<String> options) throws IOException {
        this.directory = directory;
        this.links = links;
        this.options = options;
        this.keeper = launch();
        this.pid = readPid();
    }

    /**
     * Starts an engine without a bridge.
     *
     * @param options of dockerd's, besides those that keep it separate
     */
    static OwnEngine start(String... options) throws IOException {
        List<String> all = new ArrayList<>(List.of(options));
        all.add("--bridge=none");
        return start(NO_LINK, all);
    }

    /** Starts an engine whose containers have a bridge, at an address of which it has the next 255. */
    static OwnEngine withBridge(String address) throws IOException {
        String bridge = "ip link add name %1$s type bridge && ip addr add %2$s/24 dev %1$s && ip link set %1$s up"
                .formatted(BRIDGE, address);
        boolean possible = run("unshare", "--net", "sh", "-c", bridge) == 0;
        Prerequisite.require(possible, "a bridge cannot be made here");
        return start(bridge, List.of("--bridge=" + BRIDGE));
    }

    private static OwnEngine start(String links, List<String> options) throws IOException {
        boolean possible =
                Files.isExecutable(Path.of("/usr/sbin/dockerd")) && "root".equals(System.getProperty("user.name"));
        Prerequisite.require(possible, "an engine of the tests' own takes dockerd and root");
        OwnEngine engine = new OwnEngine(Files.createTempDirectory("paddock-engine-"), links, options);
        engine.awaitAnswer();
        return engine;
    }

    private Process launch() throws IOException {
        List<String> argv = new ArrayList<>(List.of("sh", "-c", KEEPER, "sh"));
        argv.addAll(OWN_NETWORK);
        argv.add(links);
        argv.addAll(List.of(
                "/usr/sbin/dockerd",
                "--data-root=" + directory.resolve("data"),
                "--exec-root=" + directory.resolve("exec"),
                "--pidfile=" + directory.resolve("pid"),
                "--host=" + host(),
                "--iptables=false",
                "--ip6tables=false",
                "--ip-forward=false",
                "--ip-masq=false"));
        argv.addAll(options);
        ProcessBuilder builder = new ProcessBuilder(argv)
                .redirectError(ProcessBuilder.Redirect.appendTo(
                        directory.resolve("log").toFile()));
        // The engine's short-lived programs need no garbage collection; it takes most of their time.
        builder.environment().put("GOGC", "800");
        // An engine that has to kill its containerd writes that one's stacks there.
        builder.environment().put("TMPDIR", directory.toString());
        return builder.start();
    }

    private long readPid() throws IOException {
        BufferedReader said = keeper.inputReader();
        String line = said.readLine();
        if (line == null) {
            throw new IllegalStateException("no engine could be started");
        }
        return Long.parseLong(line);
    }

    String host() {
        return "unix://" + directory.resolve("docker.sock");
    }

    Engine client() {
        return Engine.at(host());
    }

    /**
     * Returns the arguments that start a program in the engine's network namespace, where it
     * reaches the engine by TCP.
     */
    List<String> besides(List<String> argv) {
        List<String> all = new ArrayList<>(List.of("nsenter", "--net=" + networkNamespace()));
        all.addAll(argv);
        return all;
    }

    /** Returns the engine's network namespace, as a symbolic link of /proc. */
    Path networkNamespace() {
        return Path.of("/proc", Long.toString(pid), "ns", "net");
    }

    /**
     * Returns the index of the machine's link docker0, which a recreated link does not get again;
     * or that there is none.
     */
    private static String defaultBridge() throws IOException {
        return Files.exists(DEFAULT_BRIDGE) ? Files.readString(DEFAULT_BRIDGE).strip() : "none";
    }

    private void awaitAnswer() {
        Awaitility.await("the engine answers; its log is in " + directory)
                .atMost(Duration.ofSeconds(60))
                .ignoreExceptions()
                .until(() -> client().call(request -> {
                    request.pingCmd().exec();
                    return true;
                }));
    }

    /** Copies an image from the machine's engine. */
    void copy(String image) throws IOException {
        Engine source = TestEngine.withImage(image);
        try (InputStream tar = source.client().saveImageCmd(image).exec()) {
            client().client().loadImageCmd(tar).exec();
        }
    }

    void signal(String name) throws IOException {
        if (!HostSignals.send(name, pid)) {
            throw new IllegalStateException("the engine could not be sent " + name);
        }
    }

    void stop() throws IOException {
        signal("TERM");
        await(keeper);
    }

    void kill() throws IOException {
        signal("KILL");
        await(keeper);
    }

    private static int run(String... argv) throws IOException {
        Process process = new ProcessBuilder(argv).start();
        await(process);
        return process.exitValue();
    }

    private static void await(Process process) throws IOException {
        try {
            if (!process.waitFor(60, TimeUnit.SECONDS)) {
                throw new IllegalStateException("does not end: " + process.info());
            }
        } catch (InterruptedException interrupt) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", interrupt);
        }
    }

    void restart() throws IOException {
        // A killed engine leaves these files, and the next one takes them for those of a running
        // containerd.
        Files.deleteIfExists(directory.resolve("pid"));
        Files.deleteIfExists(directory.resolve("exec/containerd/containerd.pid"));
        keeper = launch();
        pid = readPid();
        awaitAnswer();
    }

    /** Stops the engine, and removes everything it has. */
    @Override
    public void close() throws IOException {
        if (keeper.isAlive()) {
            signal("CONT");
            containers().forEach(container -> ContainerRemoval.of(client(), container));
            stop();
        }
        unmount();
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : (Iterable<Path>) files.sorted(Comparator.reverseOrder())::iterator) {
                Files.deleteIfExists(file);
            }
        }
        if (!defaultBridge.equals(defaultBridge())) {
            throw new IllegalStateException("the machine's link docker0 changed while the engine ran: from "
                    + defaultBridge + " to " + defaultBridge());
        }
    }

    /** Unmounts what a killed engine leaves mounted. */
    private void unmount() throws IOException {
        List<String> mounts = new ArrayList<>();
        for (String line : Files.readAllLines(Path.of("/proc/self/mounts"))) {
            String target = line.split(" ", -1)[1];
            if (target.startsWith(directory + "/")) {
                mounts.add(target);
            }
        }
        Collections.reverse(mounts);
        for (String target : mounts) {
            run("umount", target);
        }
    }

    /** Returns the ids of all its containers. */
    List<String> containers() {
        return client().call(request -> request.listContainersCmd().withShowAll(true).exec().stream()
                .map(container -> container.getId())
                .toList());
    }
}
