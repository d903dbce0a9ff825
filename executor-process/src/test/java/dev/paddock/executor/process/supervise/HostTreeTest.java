package dev.paddock.executor.process.supervise;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.Signal;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.os.table.ProcessTable;
import dev.paddock.executor.process.launch.ChildProcess;
import dev.paddock.executor.process.launch.LaunchSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests which processes belong to a tree, with a process table that each test writes. */
class HostTreeTest {
    private static final String MARKER = "mine:1:1";

    private final Supervisor supervisor = Supervisor.create("tree-test", false);
    private final List<ProcessTable.Row> rows = new ArrayList<>();
    private ChildProcess main;
    private HostTree tree;

    @BeforeEach
    void start() {
        main = supervisor.launch(LaunchSpec.builder("/bin/cat")
                .env(CommandExecutor.MARKER, MARKER)
                .stdin(SpawnOptions.Stdin.PIPE)
                .build());
        tree = new HostTree(main, MARKER, new Table(), new Object());
        rows.add(row(main.pid(), 1, main.pid(), main.pid(), 1000, ""));
    }

    @AfterEach
    void dispose() {
        supervisor.close();
    }

    @Test
    void processWithSessionGroupParentOrMarkerIsMember() {
        rows.add(row(900_001, 1, 5, main.pid(), 1001, ""));
        rows.add(row(900_002, 1, main.pid(), 5, 1001, ""));
        rows.add(row(900_003, main.pid(), 5, 5, 1001, ""));
        rows.add(row(900_004, 900_003, 5, 5, 1001, ""));
        rows.add(row(900_005, 1, 5, 5, 1001, MARKER));
        assertThat(tree.leftovers()).contains(Set.of(900_001L, 900_002L, 900_003L, 900_004L, 900_005L));
    }

    @Test
    void othersDoNot() {
        rows.add(row(900_001, 1, 5, 5, 1001, ""));
        rows.add(row(900_002, 1, 5, 5, 1001, MARKER + "0"));
        rows.add(row(900_003, main.pid(), 5, 5, 999, "")); // started before the main process
        assertThat(tree.leftovers()).contains(Set.of());
    }

    @Test
    void onceSeenProcessStaysMember() {
        rows.add(row(900_001, 1, 5, 5, 1001, MARKER));
        assertThat(tree.leftovers()).contains(Set.of(900_001L));
        rows.set(1, row(900_001, 1, 5, 5, 1001, ""));
        rows.add(row(900_002, 900_001, 5, 5, 1002, ""));
        assertThat(tree.leftovers()).contains(Set.of(900_001L, 900_002L));
    }

    @Test
    void reusedPidIsAnotherProcess() {
        rows.add(row(900_001, 1, 5, 5, 1001, MARKER));
        assertThat(tree.leftovers()).contains(Set.of(900_001L));
        rows.set(1, row(900_001, 1, 5, 5, 2002, ""));
        assertThat(tree.leftovers()).contains(Set.of());
    }

    /**
     * The table lists another process, this JVM, as a member; but its pid now has another start
     * time.
     */
    @Test
    void C9_signalDoesNotHitWhoGotNumberSince() {
        ProcessTable machine = ProcessTable.ofThisMachine();
        ProcessTable.Row seen = machine.row(ProcessHandle.current().pid()).orElseThrow();
        ProcessTable.Row former =
                row(seen.pid(), seen.parent(), seen.group(), seen.session(), seen.started() - 1, MARKER);
        assertThat(ExactSignal.send(machine, former, Signal.KILL)).isFalse();
    }

    private static ProcessTable.Row row(long pid, long parent, long group, long session, long started, String marker) {
        return new ProcessTable.Row(
                pid,
                parent,
                group,
                session,
                started,
                true,
                () -> Optional.of(marker).filter(text -> !text.isEmpty()));
    }

    private final class Table implements ProcessTable {
        @Override
        public Object now() {
            return new Object();
        }

        @Override
        public List<Row> since(Object point) {
            return List.copyOf(rows);
        }

        @Override
        public List<Row> all() {
            return List.copyOf(rows);
        }

        @Override
        public Optional<Row> row(long pid) {
            return rows.stream().filter(row -> row.pid() == pid).findFirst();
        }
    }
}
