package dev.paddock.executor.tck.local;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.UUID;
import org.awaitility.Awaitility;

/** A version 1 cgroup that freezes one process; in version 2 a frozen process still dies of SIGKILL. */
final class Freezer implements AutoCloseable {
    private static final Path HIERARCHY = Path.of("/sys/fs/cgroup/freezer");

    private final Path group;
    private long held;

    private Freezer(Path group) {
        this.group = group;
    }

    static Freezer create() throws IOException {
        assumeTrue(Files.isWritable(HIERARCHY.resolve("cgroup.procs")), "no freezer of version 1 can be used here");
        return new Freezer(Files.createDirectory(HIERARCHY.resolve("paddock-test-" + UUID.randomUUID())));
    }

    void freeze(long pid) throws IOException {
        held = pid;
        Files.writeString(group.resolve("cgroup.procs"), Long.toString(pid));
        state("FROZEN");
    }

    /** Returns the id of the process. */
    long held() {
        return held;
    }

    void thaw() throws IOException {
        state("THAWED");
    }

    private void state(String state) throws IOException {
        Files.writeString(group.resolve("freezer.state"), state);
        Awaitility.await(state)
                .atMost(Duration.ofSeconds(30))
                .until(() ->
                        Files.readString(group.resolve("freezer.state")).strip().equals(state));
    }

    @Override
    public void close() throws IOException {
        thaw();
        Awaitility.await("the group is empty")
                .atMost(Duration.ofSeconds(20))
                .until(() -> Files.readString(group.resolve("cgroup.procs")).isEmpty());
        Files.delete(group);
    }
}
