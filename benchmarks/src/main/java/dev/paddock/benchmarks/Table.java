package dev.paddock.benchmarks;

import dev.paddock.executor.ExecutorException;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** The figures of one family, and why some are missing. */
final class Table {
    private static final int COLUMN = 13;

    private final String name;
    private final String title;
    private final List<String> columns;
    private final List<Line> lines = new ArrayList<>();
    private final Map<String, String> missing = new LinkedHashMap<>();

    /**
     * A row.
     *
     * @param values one for each column; NaN where there is none
     */
    record Line(String row, String label, List<Double> values) {}

    /** What yields the values of a row. */
    @FunctionalInterface
    interface Measurement {
        List<Double> measure() throws IOException;
    }

    /**
     * An empty table.
     *
     * @param columns what the figures are; the first is the one that is drawn
     */
    Table(String name, String title, String... columns) {
        this.name = name;
        this.title = title;
        this.columns = List.of(columns);
    }

    String name() {
        return name;
    }

    String title() {
        return title;
    }

    String firstColumn() {
        return columns.getFirst();
    }

    List<Line> lines() {
        return List.copyOf(lines);
    }

    /** Measures a row, or notes why it cannot be had. */
    void add(String row, String label, Measurement measurement) {
        try {
            lines.add(new Line(row, label, measurement.measure()));
        } catch (IOException | ExecutorException | IllegalStateException fault) {
            miss(label, String.valueOf(fault.getMessage()));
        }
        System.err.print(".");
    }

    void miss(String label, String reason) {
        missing.put(label, reason.lines().findFirst().orElse("unknown"));
    }

    /** Divides a column by the value that a row has in it, and puts the quotients into the last column. */
    void divide(int column, String row) {
        double divisor = lines.stream()
                .filter(line -> line.row().equals(row))
                .mapToDouble(line -> line.values().get(column))
                .findFirst()
                .orElse(Double.NaN);
        lines.replaceAll(line -> {
            List<Double> values = new ArrayList<>(line.values());
            values.add(line.values().get(column) / divisor);
            return new Line(line.row(), line.label(), values);
        });
    }

    void print(PrintStream out) {
        out.println();
        out.println(title);
        out.printf(
                "  %-40s%s%n", "", columns.stream().map(column -> pad(column)).collect(Collectors.joining()));
        for (Line line : lines) {
            out.printf(
                    "  %-40s%s%n",
                    line.label(),
                    line.values().stream().map(value -> pad(text(value))).collect(Collectors.joining()));
        }
        missing.forEach((label, reason) -> out.println("  not measured: " + label + ": " + reason));
    }

    private static String pad(String text) {
        return String.format(Locale.ROOT, "%" + COLUMN + "s", " " + text);
    }

    /** Three digits that mean something. */
    static String text(double value) {
        if (Double.isNaN(value)) {
            return "-";
        }
        return String.format(
                Locale.ROOT, Math.abs(value) >= 100 ? "%.0f" : Math.abs(value) >= 10 ? "%.1f" : "%.2f", value);
    }

    Map<String, Object> document() {
        List<Map<String, Object>> rows = new ArrayList<>();
        for (Line line : lines) {
            Map<String, Object> row = new LinkedHashMap<>();
            row.put("row", line.row());
            row.put("label", line.label());
            for (int column = 0; column < columns.size(); column++) {
                double value = line.values().get(column);
                row.put(columns.get(column), Double.isNaN(value) ? "not measured" : value);
            }
            rows.add(row);
        }
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("family", name);
        document.put("title", title);
        document.put("rows", rows);
        document.put("notMeasured", missing);
        return document;
    }
}
