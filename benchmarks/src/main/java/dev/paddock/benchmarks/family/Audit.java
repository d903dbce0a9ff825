package dev.paddock.benchmarks.family;

import dev.paddock.benchmarks.measure.Family;
import dev.paddock.benchmarks.measure.Faults;
import dev.paddock.benchmarks.measure.Scope;
import dev.paddock.benchmarks.measure.Series;
import dev.paddock.benchmarks.measure.Table;
import dev.paddock.harness.audit.AuditRecord;
import dev.paddock.harness.audit.store.AuditStore;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;

/** Measures how fast audit records are written, and a chain of them is verified. */
final class Audit implements Family {
    /** A store's queue holds so many records, and refuses more. */
    private static final int APPENDED = 10_000;

    private static final String RATE = "records a second, p50";

    @Override
    public String name() {
        return "audit";
    }

    @Override
    public Table measure(Scope scope) {
        Table table = new Table(name(), "records of commands in the audit store", "ms, p50", RATE);
        table.goal("append", RATE, "≥ 10,000");
        table.goal("verify", RATE, "≥ 100,000");
        int verified = scope.ifQuick(10, 100) * APPENDED;
        fill(table, "append", APPENDED, () -> append(scope));
        fill(table, "verify", verified, () -> verify(scope, verified));
        return table;
    }

    private interface Rounds {
        Series measure() throws IOException;
    }

    private static void fill(Table table, String row, int records, Rounds rounds) {
        String label = row + " " + records;
        try {
            Series millis = rounds.measure();
            table.add(row, label, millis.size(), List.of(millis.p50(), records / (millis.p50() / 1e3)));
        } catch (IOException | RuntimeException fault) {
            table.miss(label, Faults.message(fault));
        }
    }

    private static Series append(Scope scope) throws IOException {
        Series series = new Series();
        double unused = millisToAppend(scope); // the JVM and SQLite compile their code and statements here
        for (int round = 0; round < scope.rounds(3, 10); round++) {
            series.add(round, millisToAppend(scope));
        }
        return series;
    }

    /** Returns how long it takes from the first call until all records are in a new store. */
    private static double millisToAppend(Scope scope) throws IOException {
        List<AuditRecord> records = records(0);
        try (AuditStore store = AuditStore.open(scope.place().fresh("audit-"))) {
            long start = System.nanoTime();
            records.forEach(store::append);
            if (!store.flush(Duration.ofMinutes(1)) || store.unwritten() > 0) {
                throw new IOException(store.unwritten() + " records were not written");
            }
            return (System.nanoTime() - start) / 1e6;
        }
    }

    private static Series verify(Scope scope, int count) throws IOException {
        Series series = new Series();
        try (AuditStore store = AuditStore.open(scope.place().fresh("audit-"))) {
            for (int first = 0; first < count; first += APPENDED) {
                var unused = store.appendAll(records(first));
            }
            for (int round = 0; round < scope.rounds(3, 5); round++) {
                long start = System.nanoTime();
                if (!store.verify().isWhole()) {
                    throw new IOException("the chain is not whole");
                }
                series.add(round, (System.nanoTime() - start) / 1e6);
            }
        }
        return series;
    }

    private static List<AuditRecord> records(int first) {
        return IntStream.range(first, first + APPENDED)
                .mapToObj(number -> AuditRecord.builder("command", "id-" + number, Instant.ofEpochSecond(number))
                        .session("session-" + number / 100)
                        .field("command", "make -C module-" + number + " test")
                        .field("worktree", "/home/ada/project")
                        .field("executor", "bwrap")
                        .field("status", "exited 0")
                        .build())
                .toList();
    }
}
