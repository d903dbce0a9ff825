package dev.paddock.benchmarks;

import dev.paddock.executor.ExecutorException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** The rows that can be had here, measured side by side. */
final class Suite implements AutoCloseable {
    private final Map<Entry, Row> rows = new LinkedHashMap<>();
    private final Map<Entry, String> absent = new LinkedHashMap<>();
    private final Quiet quiet = new Quiet();

    /** Opens the rows; what cannot be had, or cannot run a command, is noted with its reason. */
    static Suite open(List<Entry> entries, Place place) {
        Suite suite = new Suite();
        for (Entry entry : entries) {
            suite.open(entry, place);
        }
        return suite;
    }

    private void open(Entry entry, Place place) {
        try {
            Row row = entry.opening().open(place);
            rows.put(entry, row);
            row.run("true");
        } catch (IOException | ExecutorException fault) {
            Row opened = rows.remove(entry);
            if (opened != null) {
                opened.close();
            }
            absent.put(
                    entry,
                    String.valueOf(fault.getMessage()).lines().findFirst().orElse("unknown"));
        }
    }

    /** Why a row is missing. */
    Map<Entry, String> absent() {
        return absent;
    }

    List<Entry> entries() {
        return List.copyOf(rows.keySet());
    }

    double noise() {
        return quiet.noise();
    }

    /**
     * Measures one command in all rows, in turns, so that a machine that becomes slower does so for all of them. Each round
     * begins with another row.
     */
    Map<String, Samples> measure(String command, int warmUp, int rounds, Consumer<Integer> progress)
            throws IOException {
        Map<String, Samples> samples = new LinkedHashMap<>();
        List<Map.Entry<Entry, Row>> order = new ArrayList<>(rows.entrySet());
        order.forEach(row -> samples.put(row.getKey().name(), new Samples()));
        for (int round = -warmUp; round < rounds; round++) {
            for (int turn = 0; turn < order.size(); turn++) {
                Map.Entry<Entry, Row> row = order.get(Math.floorMod(round + turn, order.size()));
                if (Math.floorMod(round, row.getKey().every()) == 0) {
                    quiet.await();
                    Row.Times times = row.getValue().run(command);
                    if (round >= 0) {
                        samples.getOrDefault(row.getKey().name(), new Samples()).add(round, times);
                    }
                }
            }
            progress.accept(round);
        }
        return samples;
    }

    /** What one row did. */
    record Samples(Series firstByte, Series exit) {
        Samples() {
            this(new Series(), new Series());
        }

        void add(int round, Row.Times times) {
            firstByte.add(round, times.firstByte());
            exit.add(round, times.exit());
        }
    }

    @Override
    public void close() {
        rows.values().forEach(Row::close);
    }
}
