package dev.paddock.executor.process.supervise;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.executor.Signal;
import dev.paddock.executor.os.table.HandleTable;
import dev.paddock.executor.os.table.PidfdProcess;
import dev.paddock.executor.os.table.ProcessTable;
import dev.paddock.executor.process.launch.ChildProcess;
import dev.paddock.executor.process.launch.HostEnvironment;
import dev.paddock.executor.process.launch.LaunchSpec;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests how the tree of a command is found where there is no {@code /proc}. */
class HandleTableTest {
    private final Supervisor supervisor = Supervisor.ofJdkProcesses("handle-test", false);
    private final HandleTable table = new HandleTable();

    @AfterEach
    void dispose() {
        supervisor.close();
    }

    @Test
    void C9_killReachesWhatHangsOnParentChain() throws Exception {
        Object point = table.now();
        ChildProcess main = supervisor.launch(
                LaunchSpec.builder("/bin/sh", "-c", "setsid sh -c 'sleep 1000 & echo up; wait' & wait")
                        .env("PATH", HostEnvironment.SYSTEM_PATH)
                        .build());
        assertThat(main.stdout().read()).isEqualTo('u');
        ProcessHandle shell = ProcessHandle.of(main.pid()).orElseThrow();
        List<ProcessHandle> descendants = shell.descendants().toList();
        assertThat(descendants)
                .as("a shell of another session, and what that started")
                .hasSize(2);
        HostTree tree = new HostTree(main, "marker", table, point);

        assertThat(tree.leftovers().orElseThrow())
                .containsExactlyInAnyOrderElementsOf(
                        descendants.stream().map(ProcessHandle::pid).toList());
        assertThat(tree.signal(Signal.KILL)).isTrue();

        for (ProcessHandle descendant : descendants) {
            awaitEnd(descendant);
        }
        assertThat(main.ended().get(30, TimeUnit.SECONDS)).isNotNull();
    }

    /** Where there are pidfds, does not wait until the machine's init has reaped the process, which can take long. */
    private static void awaitEnd(ProcessHandle process) throws Exception {
        Optional<PidfdProcess> exact = PidfdProcess.open(process.pid());
        if (exact.isEmpty()) {
            process.onExit().get(30, TimeUnit.SECONDS);
            return;
        }
        try (PidfdProcess open = exact.get()) {
            assertThat(open.awaitEnd(Duration.ofSeconds(30))).isTrue();
        }
    }

    @Test
    void processesStartedBeforePointAreLeftOut() throws IOException {
        long own = ProcessHandle.current().pid();
        assertThat(table.row(own).orElseThrow().running()).isTrue();
        assertThat(table.all().stream().map(ProcessTable.Row::pid)).contains(own, 1L);
        assertThat(table.since(table.now()).stream().map(ProcessTable.Row::pid)).doesNotContain(1L);
        assertThat(table.row(Integer.MAX_VALUE)).isEmpty();
        assertThat(Set.copyOf(table.all()))
                .allSatisfy(row -> assertThat(row.marker().get()).isEmpty());
    }
}
