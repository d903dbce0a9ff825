package dev.paddock.executor.process.table;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What the JDK tells of processes, where there is no {@code /proc}: parents and times. No sessions, no groups, no
 * environments: what has lost its parent before it was looked for is not found.
 */
public final class HandleTable implements ProcessTable {

    /** Makes one; it holds nothing. */
    public HandleTable() {}

    /** No session or group has this number. */
    private static final long NONE = -1;

    /** Clocks are set back by a little now and then. */
    private static final Duration SLACK = Duration.ofSeconds(2);

    @Override
    public Object now() {
        return Instant.now();
    }

    @Override
    public List<Row> since(Object point) {
        long earliest = ((Instant) point).minus(SLACK).toEpochMilli();
        return all().stream().filter(row -> row.started() >= earliest).toList();
    }

    @Override
    public List<Row> all() {
        return ProcessHandle.allProcesses().map(HandleTable::row).toList();
    }

    @Override
    public Optional<Row> row(long pid) {
        return ProcessHandle.of(pid).map(HandleTable::row);
    }

    private static Row row(ProcessHandle process) {
        return new Row(
                process.pid(),
                process.parent().map(ProcessHandle::pid).orElse(0L),
                NONE,
                NONE,
                process.info().startInstant().map(Instant::toEpochMilli).orElse(0L),
                process.isAlive(),
                Optional::empty);
    }
}
