package dev.paddock.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** That the measuring works; what it measures is no test's business. */
@NullMarked
class BenchmarksTest {

    @Test
    void aRunYieldsFiguresForEveryRowOrAReason(@TempDir Path files) throws IOException {
        Path json = files.resolve("figures.json");
        Path svg = files.resolve("figures.svg");
        Main.run(Settings.parse(new String[] {
            "--rounds", "1", "--only", "host,bwrap,landlock", "--json", json.toString(), "--svg", svg.toString()
        }));
        JsonNode document = new ObjectMapper().readTree(json.toFile());
        assertThat(document.get("figures"))
                .filteredOn(row -> row.get("row").asText().equals("host"))
                .hasSize(Main.COMMANDS.size())
                .allSatisfy(row -> assertThat(row.get("p50").asDouble()).isPositive());
        assertThat(document.get("figures").findValuesAsText("row").stream()
                                .distinct()
                                .count()
                        + document.get("notMeasured").size())
                .isEqualTo(8);
        if (isInstalled("bwrap")) {
            assertThat(document.get("figures").findValuesAsText("row")).contains("bwrap-bare");
        }
        assertThat(Files.readString(svg)).startsWith("<svg").contains("plain ProcessBuilder");
    }

    @Test
    void aFamilyYieldsItsTable(@TempDir Path files) throws IOException {
        Path json = files.resolve("figures.json");
        Path svg = files.resolve("figures.svg");
        Main.run(Settings.parse(new String[] {
            "--quick", "--only", "sustained,start-up,host,codex,srt", "--json", json.toString(), "--svg", svg.toString()
        }));
        JsonNode families = new ObjectMapper().readTree(json.toFile()).get("families");
        assertThat(families.findValuesAsText("family")).containsExactly("sustained", "start-up");
        assertThat(families.get(0).get("rows")).hasSize(2).allSatisfy(row -> {
            assertThat(row.get("one caller").asDouble()).isPositive();
            assertThat(row.get("one ÷ plain").asDouble()).isPositive();
        });
        assertThat(families.get(1).get("rows").size()
                        + families.get(1).get("notMeasured").size())
                .isEqualTo(3);
        assertThat(Files.readString(svg)).contains("commands a second");
    }

    @Test
    void rowsAloneMeanTheTableOfCommandsAndFamiliesTheirs() {
        Settings rows = Settings.parse(new String[] {"--only", "host"});
        Settings families = Settings.parse(new String[] {"--only", "abort,host"});
        assertThat(rows.wantsCommands()).isTrue();
        assertThat(Family.ALL).noneMatch(rows::wants);
        assertThat(families.wantsCommands()).isFalse();
        assertThat(Family.ALL).filteredOn(families::wants).hasOnlyElementsOfType(Aborts.class);
        assertThat(families.wants("host-cold")).isTrue();
        assertThat(families.wants("bwrap")).isFalse();
    }

    private static boolean isInstalled(String program) {
        return List.of(System.getenv("PATH").split(":")).stream()
                .anyMatch(directory -> Files.isExecutable(Path.of(directory, program)));
    }

    @Test
    void quantilesAndRatiosAreThoseOfTheSamples() {
        Series series = new Series();
        Series other = new Series();
        IntStream.rangeClosed(1, 100).forEach(number -> series.add(number, number * 1_000_000L));
        IntStream.rangeClosed(1, 50).forEach(number -> other.add(2 * number, number * 1_000_000L));
        assertThat(series.quantile(0.5)).isEqualTo(51);
        assertThat(series.quantile(0.95)).isEqualTo(96);
        assertThat(other.ratio(series)).isEqualTo(0.5);
        assertThat(series.ratio(new Series())).isNaN();
    }

    @Test
    void whatIsNotUnderstoodIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Settings.parse(new String[] {"--rounds", "none"}))
                .withMessageContaining("'none'");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Settings.parse(new String[] {"--fast"}))
                .withMessageContaining("--fast");
    }
}
