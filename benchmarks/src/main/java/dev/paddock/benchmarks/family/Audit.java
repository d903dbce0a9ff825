package dev.paddock.benchmarks.family;

import dev.paddock.benchmarks.measure.Family;
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
    /** As many as wait in a store's queue. */
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
        Series appended = new Series();
        table.measure("append", "append " + APPENDED + ", and flush", () -> {
            for (int round = 0; round <= scope.rounds(3, 10); round++) {
                double millis = append(scope);
                if (round > 0) { // in the first, the JVM and SQLite warm up
                    appended.add(round, millis);
                }
            }
            return figures(appended, APPENDED);
        });
        int verified = scope.ifQuick(10, 100) * APPENDED;
        table.measure("verify", "verify " + verified, () -> figures(verify(scope, verified), verified));
        return table;
    }

    private static List<Double> figures(Series millis, int records) {
        return List.of(millis.p50(), records / (millis.p50() / 1e3));
    }

    private static double append(Scope scope) throws IOException {
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
