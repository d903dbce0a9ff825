package dev.paddock.executor.os.table;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Lists processes with the JDK's process handles, where there is no {@code /proc}: with parents and start times, but
 * without sessions, groups and environments. Misses a process that lost its parent before the search.
 *
 * @since 0.1
 */
public final class HandleTable implements ProcessTable {

    public HandleTable() {}

    /** No session or group has this number. */
    private static final long NONE = -1;

    /** The tolerance for clocks that are set back a little. */
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
