package dev.paddock.benchmarks.measure;

import dev.paddock.benchmarks.row.BenchmarkWorktree;
import dev.paddock.benchmarks.row.Entry;
import dev.paddock.benchmarks.row.Row;
import java.io.IOException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Measures, side by side, the rows that are available here. */
public final class Suite implements AutoCloseable {
    private static final int PROGRESS = 10;

    private final Map<Entry, Row> rows = new LinkedHashMap<>();
    private final Map<Entry, String> absent = new LinkedHashMap<>();
    private final QuiescenceWait quiet = new QuiescenceWait();

    /**
     * Opens the rows; a row that is not available, or cannot run a command, is noted with its
     * reason.
     */
    public static Suite open(List<Entry> entries, BenchmarkWorktree place) {
        Suite suite = new Suite();
        for (Entry entry : entries) {
            suite.open(entry, place);
        }
        return suite;
    }

    private void open(Entry entry, BenchmarkWorktree place) {
        try {
            Row row = entry.opening().open(place);
            rows.put(entry, row);
            row.run("true");
        } catch (IOException | RuntimeException fault) {
            lose(entry, fault);
        }
    }

    private void lose(Entry entry, Exception fault) {
        absent.put(entry, Faults.message(fault));
        Row opened = rows.remove(entry);
        if (opened != null) {
            close(entry, opened);
        }
    }

    /** Returns why a row is missing, or has not been measured to the end. */
    public Map<Entry, String> absent() {
        return absent;
    }

    public List<Entry> entries() {
        return List.copyOf(rows.keySet());
    }

    /** Returns the share of samples that began while another process was running; 0 to 1. */
    public double noise() {
        return quiet.noise();
    }

    /**
     * Measures all rows, in turns, so that a machine that becomes slower does so for all of them.
     * Each round begins with another row. A row that fails is left out from there on, and so are
     * its figures.
     */
    public SuiteResult measure(int warmUp, int rounds, Turn.Sampling sampling) {
        List<Entry> order = entries();
        Map<String, Samples> samples = new HashMap<>();
        for (int round = -warmUp; round < rounds; round++) {
            for (int turn = 0; turn < order.size(); turn++) {
                Entry entry = order.get(Math.floorMod(round + turn, order.size()));
                Row row = rows.get(entry);
                if (row != null && Math.floorMod(round, entry.every()) == 0) {
                    Samples own = samples.computeIfAbsent(entry.name(), name -> new Samples());
                    try {
                        sampling.take(new Turn(row, round, own, quiet));
                    } catch (IOException | RuntimeException fault) {
                        samples.remove(entry.name());
                        lose(entry, fault);
                    }
                }
            }
            System.err.print(round > 0 && round % PROGRESS == 0 ? Integer.toString(round) : ".");
        }
        return new SuiteResult(samples);
    }

    @Override
    public void close() {
        rows.forEach(Suite::close);
    }

    private static void close(Entry entry, Row row) {
        try {
            row.close();
        } catch (RuntimeException fault) {
            System.err.println("paddock bench: " + entry.label() + " was not ended well: " + Faults.message(fault));
        }
    }
}
