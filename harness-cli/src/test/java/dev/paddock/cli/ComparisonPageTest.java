package dev.paddock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The columns of the comparison page that need Paddock alone are what its script finds. */
@EnabledOnOs(OS.LINUX)
class ComparisonPageTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final List<String> COLUMNS = List.of("no sandbox", "Paddock, bwrap", "Paddock, landlock");

    @TempDir
    private Path directory;

    /** Returns the cells of a table by the names of row and column. */
    private static Map<String, String> cells(List<String> lines, List<String> columns) {
        Map<String, String> cells = new LinkedHashMap<>();
        List<String> header = List.of();
        for (String line : lines) {
            List<String> row =
                    Arrays.stream(line.split("\\|")).map(String::strip).toList();
            if (line.startsWith("| a command ")) {
                header = row;
            } else if (line.startsWith("|") && !header.isEmpty() && !line.startsWith("|---")) {
                for (String column : columns) {
                    cells.put(row.get(1) + ": " + column, row.get(header.indexOf(column)));
                }
            } else if (!line.startsWith("|")) {
                header = List.of();
            }
        }
        return cells;
    }

    @Test
    @Tag("full")
    void pageShowsWhatScriptFinds() throws Exception {
        McpBackend.BWRAP.require();
        ShellLines shell = ShellLines.in(directory.resolve("lines"));
        Cli cli = Cli.in(directory).env("PADDOCK", shell.program().toString());
        Cli.Result result = shell.run(cli, "'" + ROOT.resolve("build/compare.sh") + "' --only none,bwrap,landlock");
        assertThat(result.exitCode()).as(result.stderr()).isZero();
        Map<String, String> found = cells(result.stdout().lines().toList(), COLUMNS);
        assertThat(found).hasSizeGreaterThan(30).isEqualTo(cells(page(), COLUMNS));
        assertThat(found.entrySet())
                .as("each attack succeeds where nothing stops it")
                .filteredOn(cell -> cell.getKey().endsWith(": no sandbox"))
                .allSatisfy(
                        cell -> assertThat(cell.getValue()).as(cell.getKey()).isEqualTo("**not stopped**"));
    }

    /** The page has the script's lines for other programs as well. */
    @Test
    void pageHasEachAttackOfScript() throws IOException {
        List<String> titles = new ArrayList<>();
        for (String line : Files.readAllLines(ROOT.resolve("build/compare.sh"))) {
            if (line.matches(" {8}[a-z]+\\) echo \".*\" ;;")) {
                titles.add(line.replaceFirst("^[^\"]*\"", "")
                        .replaceFirst("\" ;;$", "")
                        .replace("\\", ""));
            }
        }
        String page = String.join("\n", page());
        assertThat(titles)
                .hasSizeGreaterThan(12)
                .allSatisfy(title -> assertThat(page).contains("| " + title + " |"));
    }

    private static List<String> page() throws IOException {
        return Files.readAllLines(ROOT.resolve("docs/comparison.md"));
    }
}
