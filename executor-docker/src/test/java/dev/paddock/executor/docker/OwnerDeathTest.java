package dev.paddock.executor.docker;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.dockerjava.api.model.HostConfig;
import dev.paddock.executor.docker.container.ContainerRemoval;
import dev.paddock.executor.docker.container.ContainerState;
import dev.paddock.executor.docker.engine.Engine;
import dev.paddock.executor.docker.source.ContainerSweep;
import dev.paddock.executor.docker.source.ManagedSettings;
import dev.paddock.executor.os.table.OwnerId;
import dev.paddock.executor.upkeep.SweepMode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** C12: tests what happens to containers whose owner dies. */
@Tag("full")
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class OwnerDeathTest {
    private static final OwnerId HERE = OwnerId.current();

    /**
     * The id of a dead process: this process's number with another start time, as after the number
     * was reused.
     */
    private static final OwnerId DEAD =
            new OwnerId(HERE.machine(), HERE.boot(), HERE.namespace(), HERE.pid(), HERE.started() + 1);

    /**
     * Separate from the other tests' engine: any executor that starts a container there sweeps the
     * dead owners' containers.
     */
    @RegisterExtension
    static final OwnEngineExtension OWN = new OwnEngineExtension();

    private final OwnEngine own = OWN.engine();
    private final Engine engine = own.client();

    @TempDir
    Path directory;

    /** Starts a container whose owner does not keep it alive. */
    private String running(String owner) {
        return engine.call(client -> {
            String id = client.createContainerCmd(TestEngine.BUSYBOX)
                    .withCmd("sh", "-c", "read x")
                    .withStdinOpen(true)
                    .withHostConfig(HostConfig.newHostConfig().withNetworkMode("none"))
                    .withLabels(Map.of(ManagedSettings.OWNER_LABEL, owner))
                    .exec()
                    .getId();
            client.startContainerCmd(id).exec();
            return id;
        });
    }

    private String word(String container) {
        return ContainerState.of(engine, container).word();
    }

    @Test
    void C12_containerIsGoneAndRemovedAfterItsJvmWasKilled() throws Exception {
        Process owner = ContainerOwner.start(own.host(), directory);
        try {
            String container = owner.inputReader().readLine();
            assertThat(container).as("the container's id").isNotNull();
            assertThat(word(container)).isEqualTo("running");
            owner.destroyForcibly();
            Awaitility.await("the container of the killed JVM is removed")
                    .atMost(Duration.ofSeconds(30))
                    .untilAsserted(() -> assertThat(word(container)).isEqualTo("absent"));
        } finally {
            owner.destroyForcibly();
        }
    }

    @Test
    void C12_onlyWhatProvenDeadOwnersLeftIsSwept() throws Exception {
        OwnerId machine = new OwnerId("ab".repeat(16), HERE.boot(), HERE.namespace(), HERE.pid(), HERE.started() + 1);
        OwnerId namespace =
                new OwnerId(HERE.machine(), HERE.boot(), HERE.namespace() + 1, HERE.pid(), HERE.started() + 1);
        OwnerId lastBoot = new OwnerId(HERE.machine(), "ab".repeat(16), HERE.namespace(), HERE.pid(), HERE.started());
        List<String> dead = List.of(running(DEAD.toString()), running(lastBoot.toString()));
        List<String> spared = List.of(
                running(HERE.toString()),
                running(new OwnerId(HERE.machine(), HERE.boot(), HERE.namespace(), 1, startOfFirst()).toString()),
                running(machine.toString()),
                running(namespace.toString()),
                running("no owner"));
        try {
            List<String> named = ContainerSweep.of(engine, SweepMode.DRY_RUN);
            assertThat(dead).allSatisfy(id -> {
                assertThat(named).contains("would remove the container " + id.substring(0, 12));
                assertThat(word(id)).isEqualTo("running");
            });
            List<String> done = ContainerSweep.of(engine, SweepMode.REMOVE);
            assertThat(dead).allSatisfy(id -> {
                assertThat(word(id)).isEqualTo("absent");
                assertThat(done).contains("the container " + id.substring(0, 12) + " was removed");
            });
            assertThat(spared).allSatisfy(id -> assertThat(word(id)).isEqualTo("running"));
        } finally {
            spared.forEach(id -> ContainerRemoval.of(engine, id));
        }
    }

    /**
     * Returns the start time of the machine's first process, which lives as long as the machine, in
     * the kernel's unit.
     */
    private static long startOfFirst() throws IOException {
        String row = Files.readString(Path.of("/proc/1/stat"));
        return Long.parseLong(row.substring(row.lastIndexOf(')') + 2).split(" ", -1)[19]);
    }

    /** A file that nobody may delete keeps the engine from removing the container's file system. */
    @Test
    void sweepNamesContainerThatEngineCannotRemove() throws Exception {
        String kept = running(DEAD.toString());
        String removed = running(DEAD.toString());
        Path undeletable = Files.createFile(filesOf(kept).resolve("undeletable"));
        run("chattr", "+i", undeletable.toString());
        try {
            assertThat(ContainerSweep.of(engine, SweepMode.REMOVE))
                    .anySatisfy(line -> assertThat(line)
                            .startsWith("the container " + kept.substring(0, 12) + " could not be removed: ")
                            .contains("operation not permitted"))
                    .contains("the container " + removed.substring(0, 12) + " was removed");
        } finally {
            run("chattr", "-i", undeletable.toString());
        }
        assertThat(ContainerSweep.of(engine, SweepMode.REMOVE))
                .contains("the container " + kept.substring(0, 12) + " was removed");
    }

    /** Returns the directory of the files that the container has written, by its root's mount. */
    private Path filesOf(String container) throws IOException {
        Long process = engine.call(
                        client -> client.inspectContainerCmd(container).exec())
                .getState()
                .getPidLong();
        Matcher upper = Pattern.compile("\\bupperdir=([^,\\s]+)")
                .matcher(Files.readString(Path.of("/proc", String.valueOf(process), "mountinfo")));
        assertThat(upper.find())
                .as("the root of " + container + " is an overlay")
                .isTrue();
        return Path.of(upper.group(1));
    }

    private static void run(String... argv) throws Exception {
        assertThat(new ProcessBuilder(argv).inheritIO().start().waitFor())
                .as(String.join(" ", argv))
                .isZero();
    }

    @Test
    void C12_eachStartSweeps() throws Exception {
        String dead = running(DEAD.toString());
        try (DockerExecutor executor = DockerExecutor.builder()
                .engine(own.host())
                .image(TestEngine.BUSYBOX)
                .worktree(directory)
                .build()) {
            Runs.of(executor, "/work", ":");
            Awaitility.await("the dead owner's container is removed in the background")
                    .atMost(Duration.ofSeconds(30))
                    .until(() -> word(dead).equals("absent"));
        }
    }
}
