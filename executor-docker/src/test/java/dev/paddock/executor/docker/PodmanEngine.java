package dev.paddock.executor.docker;

import dev.paddock.executor.docker.container.ContainerRemoval;
import dev.paddock.executor.docker.engine.Engine;
import dev.paddock.executor.tck.subject.Prerequisite;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/** Runs a Podman service of the tests' own, whose files are all in one directory. */
final class PodmanEngine implements AutoCloseable {
    private static final Path PROGRAM = Path.of("/usr/bin/podman");
    private static final Path CGROUPS = Path.of("/sys/fs/cgroup");

    /** The parent of the containers' control groups, which Podman never removes. */
    private static final String PARENT = "libpod_parent";

    /**
     * By default Podman keeps the monitor of each command for five minutes and its locks in a file that all engines
     * share, and raises limits, which root may not do everywhere.
     */
    private static final String SETTINGS = """
            [engine]
            cgroup_manager = "cgroupfs"
            events_logger = "file"
            exit_command_delay = 1
            lock_type = "file"
            [containers]
            default_ulimits = ["nofile=1024:1024", "nproc=4096:4096"]
            """;

    /**
     * Ends the service when this script's input ends, which happens when this JVM dies. Its runtime refuses to start
     * containers where a version 2 hierarchy beside those of version 1 has controllers, so it does not see that one.
     */
    private static final String KEEPER = """
            umount /sys/fs/cgroup/unified 2>/dev/null
            exec 3<&0
            "$@" 3<&- &
            engine=$!
            { read -r line <&3; kill "$engine"; } &
            wait "$engine"
            """;

    private final Path directory;
    private final Process keeper;
    private final List<Path> before = parents();

    private PodmanEngine(Path directory) throws IOException {
        this.directory = directory;
        Path settings = Files.writeString(directory.resolve("containers.conf"), SETTINGS);
        ProcessBuilder builder = new ProcessBuilder(List.of(
                        "unshare",
                        "--mount",
                        "sh",
                        "-c",
                        KEEPER,
                        "sh",
                        PROGRAM.toString(),
                        "--storage-driver=vfs", // overlay leaves a mount
                        "--root=" + directory.resolve("root"),
                        "--runroot=" + directory.resolve("run"),
                        "--tmpdir=" + directory.resolve("tmp"),
                        "--network-config-dir=" + directory.resolve("networks"),
                        "system",
                        "service",
                        "--time=0",
                        host()))
                .redirectError(ProcessBuilder.Redirect.appendTo(
                        directory.resolve("log").toFile()));
        builder.environment().put("CONTAINERS_CONF", settings.toString());
        builder.directory(directory.toFile()); // the containers' monitors write files where it was started
        keeper = builder.start();
    }

    /** Starts a service with the busybox image; skips the calling test where Podman is not installed. */
    static PodmanEngine start() throws IOException {
        boolean possible = Files.isExecutable(PROGRAM) && "root".equals(System.getProperty("user.name"));
        Prerequisite.require(possible, "an engine of Podman's takes podman and root");
        PodmanEngine engine = new PodmanEngine(Files.createTempDirectory("paddock-podman-"));
        Awaitility.await("the engine answers; its log is in " + engine.directory)
                .atMost(Duration.ofSeconds(60))
                .ignoreExceptions()
                .until(() -> engine.client().call(request -> {
                    request.pingCmd().exec();
                    return true;
                }));
        engine.copy(TestEngine.BUSYBOX);
        return engine;
    }

    private void copy(String image) throws IOException {
        Engine source = TestEngine.withImage(image);
        try (InputStream tar = source.client().saveImageCmd(image).exec()) {
            client().client().loadImageCmd(tar).exec();
        }
    }

    String host() {
        return "unix://" + directory.resolve("podman.sock");
    }

    Engine client() {
        return Engine.at(host());
    }

    @Override
    public void close() throws IOException {
        List<String> left = client().call(request -> request.listContainersCmd().withShowAll(true).exec().stream()
                .map(container -> container.getId())
                .toList());
        left.forEach(container -> ContainerRemoval.of(client(), container));
        keeper.getOutputStream().close();
        try {
            if (!keeper.waitFor(60, TimeUnit.SECONDS)) {
                throw new IllegalStateException("Podman's service does not end");
            }
        } catch (InterruptedException interrupt) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", interrupt);
        }
        Awaitility.await("the monitors of commands exit")
                .atMost(Duration.ofSeconds(60))
                .until(() -> ProcessHandle.allProcesses().noneMatch(this::isMine));
        delete(directory);
        List<Path> mine = new ArrayList<>(parents());
        mine.removeAll(before);
        for (Path parent : mine) {
            deleteGroups(parent);
        }
    }

    private boolean isMine(ProcessHandle process) {
        return process.info().commandLine().orElse("").contains(directory.toString());
    }

    /** Removes control groups; their files vanish with them. */
    private static void deleteGroups(Path group) throws IOException {
        try (Stream<Path> groups = Files.list(group).filter(Files::isDirectory)) {
            for (Path below : (Iterable<Path>) groups::iterator) {
                deleteGroups(below);
            }
        }
        Files.delete(group);
    }

    private static List<Path> parents() throws IOException {
        try (Stream<Path> found = Files.find(CGROUPS, 2, (path, unused) -> path.endsWith(PARENT))) {
            return found.toList();
        }
    }

    private static void delete(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : (Iterable<Path>) files.sorted(Comparator.reverseOrder())::iterator) {
                Files.deleteIfExists(file);
            }
        }
    }
}
