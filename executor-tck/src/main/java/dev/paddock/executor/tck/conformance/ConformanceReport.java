package dev.paddock.executor.tck.conformance;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Collects one backend's column of the conformance matrix: the result of each {@link PolicyCase}. A
 * cell is {@code enforced} or {@code refused}. A best-effort part of a policy can be enforced
 * {@code but for} the guarantees that the backend does not claim, and protected files can be {@code
 * restored afterwards}. Thread-safe.
 *
 * @since 0.1
 */
public final class ConformanceReport {
    public static final String ENFORCED = "enforced";
    static final String REFUSED = "refused";

    /** Marks a documented cell: another machine may enforce less, or refuse the policy. */
    private static final String BY_MACHINE = "*";

    private final String backend;
    private final Map<String, Cell> cells = new LinkedHashMap<>();

    /**
     * The result of a case.
     *
     * @param text the text in the matrix
     * @param remark further information, such as what was refused; may be empty
     */
    public record Cell(String text, String remark) {}

    /**
     * Creates an empty column.
     *
     * @param backend the backend's name, the head of the column
     */
    public ConformanceReport(String backend) {
        this.backend = backend;
    }

    /**
     * Records that a policy is enforced.
     *
     * @param policyCase the case
     * @param how {@code enforced}, with any qualification
     */
    public synchronized void enforced(PolicyCase policyCase, String how) {
        cells.put(policyCase.name(), new Cell(how, ""));
    }

    /**
     * Records that a policy is refused.
     *
     * @param policyCase the case
     * @param unsupported the parts of it that the backend cannot enforce
     */
    public synchronized void refused(PolicyCase policyCase, List<String> unsupported) {
        cells.put(policyCase.name(), new Cell(REFUSED, String.join("; ", unsupported)));
    }

    /**
     * Returns the column as a table with its remarks.
     *
     * @return Markdown
     */
    public synchronized String table() {
        StringBuilder table = new StringBuilder("| Policy | " + backend + " | Remark |\n|---|---|---|\n");
        cells.forEach((name, cell) -> table.append(
                "| %s | %s | %s |%n".formatted(name, cell.text(), cell.remark().replace("|", "\\|"))));
        return table.toString();
    }

    /**
     * Compares the column with a documented one. A documented {@code enforced*} matches whatever
     * this machine allows.
     *
     * @param document a Markdown file with a table, whose first column has the cases' names and
     *     another one this backend's name
     * @return a sentence for each difference; none if they agree
     * @throws IOException if the file cannot be read
     */
    public synchronized List<String> differencesFrom(Path document) throws IOException {
        Map<String, String> documented = read(document);
        List<String> differences = new ArrayList<>();
        for (PolicyCase policyCase : PolicyCases.all()) {
            String name = policyCase.name();
            String seen = cells.containsKey(name) ? cells.get(name).text() : "undecided";
            String output = documented.getOrDefault(name, "nothing");
            boolean lessHere = policyCase.byMachine() && output.equals(ENFORCED + BY_MACHINE);
            if (!output.equals(seen) && !lessHere) {
                differences.add(name + ": " + seen + "; the document says " + output);
            }
        }
        documented
                .keySet()
                .removeAll(PolicyCases.all().stream().map(PolicyCase::name).toList());
        documented.keySet().forEach(name -> differences.add(name + ": there is no such case"));
        return differences;
    }

    private Map<String, String> read(Path document) throws IOException {
        Map<String, String> column = new LinkedHashMap<>();
        int index = 0;
        for (String line : Files.readAllLines(document)) {
            List<String> row =
                    Stream.of(line.split("\\|", -1)).map(String::strip).toList();
            if (row.size() > 2 && row.indexOf(backend) > 0) {
                index = row.indexOf(backend);
            } else if (row.size() > index && index > 0 && !row.get(1).startsWith("---")) {
                column.put(row.get(1), row.get(index));
            }
        }
        return column;
    }
}
