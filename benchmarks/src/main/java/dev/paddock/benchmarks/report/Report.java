package dev.paddock.benchmarks.report;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import dev.paddock.benchmarks.measure.Series;
import dev.paddock.benchmarks.measure.Settings;
import dev.paddock.benchmarks.measure.SuiteResult;
import dev.paddock.benchmarks.measure.Table;
import dev.paddock.benchmarks.row.Catalogue;
import dev.paddock.benchmarks.row.Entry;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Presents the figures as a table and as JSON. */
public final class Report {
    public static final String FIRST_BYTE = "first byte";
    public static final String EXIT = "exit";

    private final Map<String, SuiteResult> byCommand = new LinkedHashMap<>();
    private final Map<String, Entry> entries = new LinkedHashMap<>();
    private final Map<String, String> missing = new LinkedHashMap<>();
    private final List<Table> tables = new ArrayList<>();

    /** Adds the measurements of a command. */
    public void add(String command, List<Entry> rows, SuiteResult measured) {
        rows.forEach(row -> entries.put(row.name(), row));
        byCommand.put(command, measured);
    }

    public void add(Table table) {
        tables.add(table);
    }

    /** Notes why a row or a family was not measured. */
    public void miss(String name, String reason) {
        missing.put(name, reason);
    }

    /** Returns the panels of the chart: the first command, and the first column of each family. */
    List<BarChart.Panel> panels() {
        List<BarChart.Panel> panels = new ArrayList<>();
        byCommand.keySet().stream()
                .limit(1)
                .forEach(command -> panels.add(new BarChart.Panel(
                        command + ": ms from call to exit, p50 (line: p95)",
                        figures().stream()
                                .filter(row -> row.command().equals(command))
                                .map(row -> new BarChart.Bar(row.row(), row.label(), row.p50(), row.p95()))
                                .toList())));
        for (Table table : tables) {
            panels.add(new BarChart.Panel(
                    table.title() + ": " + table.firstColumn(),
                    table.lines().stream()
                            .map(line -> new BarChart.Bar(
                                    line.row(),
                                    line.label(),
                                    line.values().getFirst(),
                                    line.values().getFirst()))
                            .toList()));
        }
        return panels;
    }

    /** Returns the figures of each command, in the order in which they were measured. */
    List<Figures> figures() {
        List<Figures> figures = new ArrayList<>();
        byCommand.forEach((command, measured) -> {
            Series plain = measured.of(Catalogue.PLAIN).of(EXIT);
            for (Entry entry : entries.values()) {
                Series exit = measured.of(entry.name()).of(EXIT);
                if (exit.size() > 0) {
                    figures.add(new Figures(
                            command,
                            entry.name(),
                            entry.label(),
                            exit.size(),
                            exit.p50(),
                            exit.p95(),
                            measured.of(entry.name()).of(FIRST_BYTE).p50(),
                            exit.ratio(plain)));
                }
            }
        });
        return figures;
    }

    /**
     * One row of one command.
     *
     * @param p50 milliseconds from the call to the known status
     * @param p95 likewise; NaN if there are too few samples
     * @param firstByte milliseconds to the first byte of output, p50
     * @param ratio to a plain ProcessBuilder in the same round, the median
     */
    record Figures(
            String command,
            String row,
            String label,
            int samples,
            double p50,
            double p95,
            double firstByte,
            double ratio) {

        Map<String, Object> document() {
            Map<String, Object> document = new LinkedHashMap<>();
            document.put("command", command);
            document.put("row", row);
            document.put("label", label);
            document.put("samples", samples);
            document.put("p50", Table.figure(p50));
            document.put("p95", Table.figure(p95));
            document.put("firstByte", Table.figure(firstByte));
            document.put("ratio", Table.figure(ratio));
            return document;
        }
    }

    public void print(PrintStream out) {
        byCommand.keySet().forEach(command -> printTable(out, command));
        printGoals(out);
        missing.forEach((name, reason) -> out.println("not measured: " + reason));
    }

    private void printTable(PrintStream out, String command) {
        out.println();
        out.println(command);
        out.printf(
                Locale.ROOT, "  %-32s %9s %9s %11s %8s %8s%n", "ms", "p50", "p95", "first byte", "÷ plain", "samples");
        for (Figures row : figures()) {
            if (row.command().equals(command)) {
                out.printf(
                        Locale.ROOT,
                        "  %-32s %9s %9s %11s %8s %8d%n",
                        row.label(),
                        cell(row.p50()),
                        cell(row.p95()),
                        cell(row.firstByte()),
                        cell(row.ratio()),
                        row.samples());
            }
        }
    }

    private static String cell(double value) {
        return Double.isNaN(value) ? "-" : String.format(Locale.ROOT, "%.2f", value);
    }

    private void printGoals(PrintStream out) {
        out.println();
        out.printf(Locale.ROOT, "  %-44s %6s", "ratios, pair by pair (median)", "goal");
        for (int number = 1; number <= byCommand.size(); number++) {
            out.printf(Locale.ROOT, " %10s", "command " + number);
        }
        out.println();
        for (Goal goal : Goal.ALL) {
            List<Double> ratios = ratios(goal);
            if (ratios.stream().anyMatch(ratio -> !ratio.isNaN())) {
                out.printf(Locale.ROOT, "  %-44s %6.2f", label(goal.row()) + " ÷ " + label(goal.other()), goal.goal());
                ratios.forEach(ratio -> out.printf(Locale.ROOT, " %10s", cell(ratio)));
                out.println();
            }
        }
    }

    private List<Double> ratios(Goal goal) {
        return byCommand.values().stream()
                .map(measured -> measured.of(goal.row())
                        .of(EXIT)
                        .ratio(measured.of(goal.other()).of(EXIT)))
                .toList();
    }

    private String label(String name) {
        return Optional.ofNullable(entries.get(name)).map(Entry::label).orElse(name);
    }

    /** Writes the files that the settings name. */
    public void write(Settings settings) throws IOException {
        if (settings.json().isPresent()) {
            Files.writeString(settings.json().get(), json());
        }
        if (settings.svg().isPresent()) {
            Files.writeString(settings.svg().get(), BarChart.of(panels()));
        }
    }

    private String json() throws IOException {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("unit", "ms");
        document.put("figures", figures().stream().map(Figures::document).toList());
        List<Map<String, Object>> goals = new ArrayList<>();
        for (Goal goal : Goal.ALL) {
            goals.add(Map.of(
                    "row",
                    goal.row(),
                    "other",
                    goal.other(),
                    "goal",
                    goal.goal(),
                    "ratios",
                    ratios(goal).stream().map(Table::figure).toList()));
        }
        document.put("goals", goals);
        document.put("notMeasured", missing);
        document.put("families", tables.stream().map(Table::document).toList());
        return new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT).writeValueAsString(document) + "\n";
    }
}
