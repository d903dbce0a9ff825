package dev.paddock.benchmarks.measure;

import dev.paddock.benchmarks.row.Entry;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Holds the figures of one family, the goals for them, and why some are missing. */
public final class Table {
    private static final int LABEL = 42;
    private static final int NARROWEST = 11;
    private static final String SAMPLES = "samples";

    private final String name;
    private final String title;
    private final List<String> columns;
    private final List<Line> lines = new ArrayList<>();
    private final Map<String, Map<String, String>> goals = new LinkedHashMap<>();
    private final Map<String, String> missing = new LinkedHashMap<>();
    private double noise = Double.NaN;

    /**
     * A row.
     *
     * @param samples the number of samples behind each figure
     * @param values one for each column; NaN where there is none
     */
    public record Line(String row, String label, int samples, List<Double> values) {}

    /** Measures the values of a row. */
    @FunctionalInterface
    public interface Measurement {
        public List<Double> measure() throws IOException;
    }

    /** Computes a row's values from its samples, one for each column. */
    @FunctionalInterface
    public interface Figures {
        List<Double> of(Entry entry, Samples samples);
    }

    /**
     * Makes an empty table.
     *
     * @param columns the names of the figures; the chart shows the first
     */
    public Table(String name, String title, String... columns) {
        this.name = name;
        this.title = title;
        this.columns = List.of(columns);
    }

    public String title() {
        return title;
    }

    public String firstColumn() {
        return columns.getFirst();
    }

    public List<Line> lines() {
        return List.copyOf(lines);
    }

    /** Notes the goal for a figure, beside the figures. */
    public void goal(String whose, String column, String goal) {
        goals.computeIfAbsent(whose, row -> new LinkedHashMap<>()).put(column, goal);
    }

    /** Adds a row. */
    public void add(String row, String label, int samples, List<Double> values) {
        lines.add(new Line(row, label, samples, values));
    }

    /** Measures a row once, or notes why it is not available. */
    public void measure(String row, String label, Measurement measurement) {
        try {
            add(row, label, 1, measurement.measure());
        } catch (IOException | RuntimeException fault) {
            miss(label, Faults.message(fault));
        }
        System.err.print(".");
    }

    /**
     * Adds the rows of a suite that were measured, and notes why others were not.
     *
     * @param counted the series whose samples are counted
     */
    public void fill(Suite suite, SuiteResult measured, String counted, Figures figures) {
        for (Entry entry : suite.entries()) {
            Samples samples = measured.of(entry.name());
            add(entry.name(), entry.label(), samples.of(counted).size(), figures.of(entry, samples));
        }
        suite.absent().forEach((entry, reason) -> miss(entry.label(), reason));
        noise = suite.noise();
    }

    public void miss(String label, String reason) {
        missing.put(label, reason);
    }

    /** Returns whether it has neither figures nor a reason for their absence. */
    public boolean isEmpty() {
        return lines.isEmpty() && missing.isEmpty();
    }

    public void print(PrintStream out) {
        out.println();
        out.println(title);
        if (!lines.isEmpty()) {
            print(out, "", columns, SAMPLES);
            goals.forEach((whose, byColumn) -> print(
                    out,
                    "goal, " + whose,
                    columns.stream()
                            .map(column -> byColumn.getOrDefault(column, ""))
                            .toList(),
                    ""));
        }
        for (Line line : lines) {
            print(
                    out,
                    line.label(),
                    line.values().stream().map(Table::text).toList(),
                    Integer.toString(line.samples()));
        }
        missing.forEach((label, reason) -> out.println("  not measured: " + label + ": " + reason));
        if (!lines.isEmpty() && !Double.isNaN(noise)) {
            out.printf(Locale.ROOT, "  %.0f %% of the waits for a quiet machine were in vain%n", 100 * noise);
        }
    }

    private void print(PrintStream out, String label, List<String> cells, String samples) {
        StringBuilder line = new StringBuilder(String.format(Locale.ROOT, "  %-" + LABEL + "s", label));
        for (int column = 0; column < cells.size(); column++) {
            line.append(pad(cells.get(column), columns.get(column).length()));
        }
        out.println(line.append(pad(samples, SAMPLES.length())).toString().stripTrailing());
    }

    private static String pad(String text, int width) {
        return String.format(Locale.ROOT, "%" + (Math.max(width, NARROWEST) + 2) + "s", text);
    }

    /** Returns the value rounded to about three significant digits; a dash for NaN. */
    public static String text(double value) {
        if (Double.isNaN(value)) {
            return "-";
        }
        return String.format(
                Locale.ROOT, Math.abs(value) >= 100 ? "%.0f" : Math.abs(value) >= 10 ? "%.1f" : "%.2f", value);
    }

    /** Returns a figure as the JSON document contains it. */
    public static Object figure(double value) {
        return Double.isNaN(value) ? "not measured" : value;
    }

    public Map<String, Object> document() {
        List<Map<String, Object>> rows = new ArrayList<>();
        for (Line line : lines) {
            Map<String, Object> row = new LinkedHashMap<>();
            row.put("row", line.row());
            row.put("label", line.label());
            row.put(SAMPLES, line.samples());
            for (int column = 0; column < columns.size(); column++) {
                row.put(columns.get(column), figure(line.values().get(column)));
            }
            rows.add(row);
        }
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("family", name);
        document.put("title", title);
        document.put("goals", goals);
        document.put("rows", rows);
        document.put("notMeasured", missing);
        document.put("waitsInVain", figure(noise));
        return document;
    }
}
