package dev.paddock.benchmarks;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What was measured, as a table and as JSON. */
final class Report {
    private final List<Entry> entries;
    private final Map<Entry, String> absent;
    private final Map<String, Map<String, Suite.Samples>> byCommand = new LinkedHashMap<>();
    private final List<Table> tables = new ArrayList<>();

    Report(List<Entry> entries, Map<Entry, String> absent) {
        this.entries = List.copyOf(entries);
        this.absent = new LinkedHashMap<>(absent);
    }

    static Report ofNoCommand() {
        return new Report(List.of(), Map.of());
    }

    void add(Table table) {
        tables.add(table);
    }

    /** What is drawn: the first command, and the first column of each family. */
    List<Picture.Panel> panels() {
        List<Picture.Panel> panels = new ArrayList<>();
        byCommand.keySet().stream()
                .limit(1)
                .forEach(command -> panels.add(new Picture.Panel(
                        command + ": ms from call to exit, p50 (line: p95)",
                        figures().stream()
                                .filter(row -> row.command().equals(command))
                                .map(row -> new Picture.Bar(row.row(), row.label(), row.p50(), row.p95()))
                                .toList())));
        for (Table table : tables) {
            panels.add(new Picture.Panel(
                    table.title() + ": " + table.firstColumn(),
                    table.lines().stream()
                            .map(line -> new Picture.Bar(
                                    line.row(),
                                    line.label(),
                                    line.values().getFirst(),
                                    line.values().getFirst()))
                            .toList()));
        }
        return panels;
    }

    void add(String command, Map<String, Suite.Samples> samples) {
        byCommand.put(command, samples);
    }

    /** The figures of each command, in the order they were measured. */
    List<Figures> figures() {
        List<Figures> figures = new ArrayList<>();
        byCommand.forEach((command, samples) -> {
            Series plain =
                    samples.getOrDefault(Catalogue.PLAIN, new Suite.Samples()).exit();
            for (Entry entry : entries) {
                Suite.Samples row = samples.getOrDefault(entry.name(), new Suite.Samples());
                figures.add(new Figures(
                        command,
                        entry.name(),
                        entry.label(),
                        row.exit().size(),
                        row.exit().quantile(0.5),
                        row.exit().quantile(0.95),
                        row.firstByte().quantile(0.5),
                        row.exit().ratio(plain)));
            }
        });
        return figures;
    }

    /**
     * One row of one command.
     *
     * @param p50 milliseconds from the call to the known status
     * @param p95 likewise
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
            double ratio) {}

    void print(PrintStream out) {
        byCommand.keySet().forEach(command -> printTable(out, command));
        printGoals(out);
        absent.forEach((entry, reason) -> out.println("not measured: " + entry.label() + ": " + reason));
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
                        "  %-32s %9.2f %9.2f %11.2f %8.2f %8d%n",
                        row.label(),
                        row.p50(),
                        row.p95(),
                        row.firstByte(),
                        row.ratio(),
                        row.samples());
            }
        }
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
                ratios.forEach(ratio -> out.printf(Locale.ROOT, " %10.2f", ratio));
                out.println();
            }
        }
    }

    private List<Double> ratios(Goal goal) {
        return byCommand.values().stream()
                .map(samples -> samples.getOrDefault(goal.row(), new Suite.Samples())
                        .exit()
                        .ratio(samples.getOrDefault(goal.other(), new Suite.Samples())
                                .exit()))
                .toList();
    }

    private String label(String name) {
        return entries.stream()
                .filter(entry -> entry.name().equals(name))
                .map(Entry::label)
                .findFirst()
                .orElse(name);
    }

    void writeJson(Path file) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("unit", "ms");
        document.put("figures", figures());
        List<Map<String, Object>> goals = new ArrayList<>();
        for (Goal goal : Goal.ALL) {
            goals.add(Map.of("row", goal.row(), "other", goal.other(), "goal", goal.goal(), "ratios", ratios(goal)));
        }
        document.put("goals", goals);
        Map<String, String> missing = new LinkedHashMap<>();
        absent.forEach((entry, reason) -> missing.put(entry.name(), reason));
        document.put("notMeasured", missing);
        document.put("families", tables.stream().map(Table::document).toList());
        try {
            Files.writeString(
                    file,
                    new ObjectMapper()
                                    .enable(SerializationFeature.INDENT_OUTPUT)
                                    .writeValueAsString(document)
                            + "\n");
        } catch (IOException fault) {
            throw new UncheckedIOException("the figures cannot be written to " + file, fault);
        }
    }
}
