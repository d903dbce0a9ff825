package dev.paddock.executor.os.table;

import dev.paddock.executor.os.posix.MacProcesses;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Lists macOS's processes with their sessions and groups, and with their markers where the system
 * permits reading them.
 */
final class MacTable implements ProcessTable {
    /** The tolerance for clocks that are set back a little. */
    private static final Duration SLACK = Duration.ofSeconds(2);

    private final MacProcesses processes;

    MacTable(MacProcesses processes) {
        this.processes = processes;
    }

    @Override
    public Object now() {
        return Instant.now();
    }

    @Override
    public List<Row> since(Object point) {
        long earliest = ChronoUnit.MICROS.between(Instant.EPOCH, ((Instant) point).minus(SLACK));
        return rows(process -> process.startedMicros() >= earliest);
    }

    @Override
    public List<Row> all() {
        return rows(process -> true);
    }

    private List<Row> rows(Predicate<MacProcess> wanted) {
        List<Row> rows = new ArrayList<>();
        ByteBuffer pids = processes.pids();
        while (pids.hasRemaining()) {
            process(pids.getInt())
                    .filter(MacProcess::running)
                    .filter(wanted)
                    .map(this::row)
                    .ifPresent(rows::add);
        }
        return rows;
    }

    @Override
    public Optional<Row> row(long pid) {
        return process(pid).map(this::row);
    }

    private Optional<MacProcess> process(long pid) {
        return processes.info(pid).map(MacProcess::ofBsdInfo);
    }

    private Row row(MacProcess process) {
        return new Row(
                process.pid(),
                process.parent(),
                process.group(),
                processes.session(process.pid()),
                process.startedMicros(),
                process.running(),
                () -> processes.arguments(process.pid()).flatMap(MacProcess::marker));
    }
}
