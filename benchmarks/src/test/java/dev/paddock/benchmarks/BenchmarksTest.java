package dev.paddock.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.paddock.benchmarks.family.Aborts;
import dev.paddock.benchmarks.family.Families;
import dev.paddock.benchmarks.measure.Family;
import dev.paddock.benchmarks.measure.Settings;
import dev.paddock.benchmarks.measure.SmallJvm;
import dev.paddock.benchmarks.measure.Suite;
import dev.paddock.benchmarks.measure.SuiteResult;
import dev.paddock.benchmarks.measure.Table;
import dev.paddock.benchmarks.remote.Remote;
import dev.paddock.benchmarks.row.BareBubblewrap;
import dev.paddock.benchmarks.row.BenchmarkWorktree;
import dev.paddock.benchmarks.row.Entry;
import dev.paddock.benchmarks.row.ProgramRow;
import dev.paddock.benchmarks.row.Row;
import dev.paddock.executor.ExecutorException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Checks that the measurements work; their figures are not checked. */
@NullMarked
class BenchmarksTest {

    @Test
    void runYieldsFiguresForEveryRowOrReason(@TempDir Path files) throws IOException {
        Path json = files.resolve("figures.json");
        Path svg = files.resolve("figures.svg");
        Main.run(Main.settings(
                "--rounds", "1", "--only", "host,bwrap,landlock", "--json", json.toString(), "--svg", svg.toString()));
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
    @Tag("full")
    void familyYieldsItsTable(@TempDir Path files) throws IOException {
        Path json = files.resolve("figures.json");
        Path svg = files.resolve("figures.svg");
        Main.run(Main.settings(
                "--rounds",
                "1",
                "--only",
                "young-jvm,start-up,mcp,sessions,host,codex,srt",
                "--json",
                json.toString(),
                "--svg",
                svg.toString()));
        JsonNode families = new ObjectMapper().readTree(json.toFile()).get("families");
        assertThat(families.findValuesAsText("family")).containsExactly("young-jvm", "start-up", "mcp", "sessions");
        assertThat(families.get(0).get("rows")).hasSize(2).allSatisfy(row -> {
            assertThat(row.get("first, ms").asDouble()).isPositive();
            assertThat(row.get("all ÷ other").asDouble()).isPositive();
            assertThat(row.get("samples").asInt()).isEqualTo(50);
        });
        assertThat(families.get(1).get("rows").size()
                        + families.get(1).get("notMeasured").size())
                .isEqualTo(4);
        assertThat(families.get(2).get("rows").size()
                        + families.get(2).get("notMeasured").size())
                .isEqualTo(1);
        assertThat(families.get(3).get("rows")).hasSize(1).allSatisfy(row -> {
            assertThat(row.get("a second").asDouble()).isPositive();
            assertThat(row.get("samples").asInt()).isPositive();
        });
        assertThat(Files.readString(svg)).contains("sessions opened and disposed of");
    }

    @Test
    void rowsAloneMeanTableOfCommandsAndFamiliesTheirs() {
        Settings rows = Main.settings("--only", "host");
        Settings families = Main.settings("--only", "abort,host");
        assertThat(rows.wantsCommands()).isTrue();
        assertThat(Families.ALL).noneMatch(rows::wants);
        assertThat(families.wantsCommands()).isFalse();
        assertThat(Families.ALL).filteredOn(families::wants).hasOnlyElementsOfType(Aborts.class);
        assertThat(families.wants("host-cold")).isTrue();
        assertThat(families.wants("bwrap")).isFalse();
    }

    @Test
    void releaseIsMeasuredBesideCheckout(@TempDir Path files) throws IOException {
        Path launcher = Files.writeString(files.resolve("paddock"), """
                #!/bin/sh
                [ "$1" = mcp ] || exit 0
                read -r request
                echo '{"result":{"serverInfo":{}}}'
                cat
                """);
        assertThat(launcher.toFile().setExecutable(true)).isTrue();
        Path json = files.resolve("figures.json");
        Main.run(Main.settings(
                "--rounds",
                "1",
                "--only",
                "start-up,mcp,host-release",
                "--release",
                launcher.toString(),
                "--json",
                json.toString()));
        assertThat(new ObjectMapper().readTree(json.toFile()).get("families"))
                .hasSize(2)
                .allSatisfy(family ->
                        assertThat(family.get("rows").findValuesAsText("row")).containsExactly("host-release"));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Main.settings("--release", files.toString()))
                .withMessageContaining("bin/paddock")
                .withMessageContaining(files.toString());
    }

    @Test
    void familyWithoutRowsAskedForSaysSo(@TempDir Path files) throws IOException {
        Path json = files.resolve("figures.json");
        Main.run(Main.settings("--only", "output,codex", "--json", json.toString()));
        JsonNode table =
                new ObjectMapper().readTree(json.toFile()).get("families").get(0);
        assertThat(table.get("rows")).isEmpty();
        assertThat(table.get("notMeasured").get("all rows").asText()).contains("none of those");
    }

    /**
     * The bare row does not pay for steps that the executor avoids: as root its thread joins the
     * network itself.
     */
    @Test
    void bareSandboxIsStartedAsExecutorStartsIt() throws IOException {
        assumeTrue(isInstalled("bwrap"), "bubblewrap is not installed");
        String inOurs = "test \"$(readlink /proc/self/ns/net)\" = '%s'"
                .formatted(Files.readSymbolicLink(Path.of("/proc/self/ns/net")));
        try (BenchmarkWorktree place = BenchmarkWorktree.create();
                BareBubblewrap bare = BareBubblewrap.open(place)) {
            assertThat(bare.prefix().getFirst())
                    .isEqualTo(System.getProperty("user.name", "").equals("root") ? "bwrap" : "nsenter");
            bare.run("! " + inOurs);
            new ProgramRow(List.of("sh", "-c"), place.worktree()).run(inOurs);
        }
    }

    private static boolean isInstalled(String program) {
        return List.of(System.getenv("PATH").split(":")).stream()
                .anyMatch(directory -> Files.isExecutable(Path.of(directory, program)));
    }

    @Test
    void rowsAreMeasuredInTurnsAndEachRoundBeginsWithAnother() throws IOException {
        List<String> order = new ArrayList<>();
        try (BenchmarkWorktree place = BenchmarkWorktree.create();
                Suite suite = Suite.open(List.of(row("a", order), row("b", order), row("c", order)), place)) {
            order.clear();
            SuiteResult measured = suite.measure(1, 3, turn -> {
                turn.row().run("x");
                turn.value("what", turn.round());
            });
            assertThat(order).containsExactly("c", "a", "b", "a", "b", "c", "b", "c", "a", "c", "a", "b");
            assertThat(measured.of("a").of("what").size()).isEqualTo(3);
        }
    }

    /** The fault of one row is reported, and no other row loses a figure. */
    @ParameterizedTest
    @MethodSource("faults")
    void rowThatFailsIsLeftOutAndTellsWhy(Exception fault, String reason) throws IOException {
        List<String> order = new ArrayList<>();
        AtomicInteger ended = new AtomicInteger();
        Entry failing = new Entry("failing", "the failing one", place -> new Row() {
            @Override
            public Times run(String command) throws IOException {
                if (command.equals("x")) {
                    switch (fault) {
                        case IOException checked -> throw checked;
                        case RuntimeException unchecked -> throw unchecked;
                        default -> throw new AssertionError(fault);
                    }
                }
                return new Times(1, 1);
            }

            @Override
            public void close() {
                ended.incrementAndGet();
            }
        });
        Table table = new Table("family", "title", "count");
        try (BenchmarkWorktree place = BenchmarkWorktree.create();
                Suite suite = Suite.open(List.of(row("a", order), failing, row("b", order)), place)) {
            SuiteResult measured = suite.measure(0, 4, turn -> {
                turn.value("what", 1);
                turn.row().run("x");
            });
            table.fill(
                    suite,
                    measured,
                    "what",
                    (entry, samples) -> List.of(samples.of("what").p50()));
        }
        assertThat(table.lines()).extracting(Table.Line::row).containsExactly("a", "b");
        assertThat(table.lines()).extracting(Table.Line::samples).containsOnly(4);
        assertThat(table.document().get("notMeasured")).isEqualTo(Map.of("the failing one", reason));
        assertThat(ended).hasValue(1);
    }

    static Stream<Arguments> faults() {
        return Stream.of(
                Arguments.of(new IOException("it is gone\nand more"), "it is gone"),
                Arguments.of(new CompletionException(new ExecutorException("it was lost")), "it was lost"),
                Arguments.of(new UncheckedIOException(new IOException("no space")), "no space"),
                Arguments.of(
                        new NoSuchElementException("No value present"), "NoSuchElementException: No value present"));
    }

    private static Entry row(String name, List<String> order) {
        return new Entry(name, name, place -> command -> {
            order.add(name);
            return new Row.Times(1, 1);
        });
    }

    /** The JVM's own warnings come first, and the stack trace last. */
    @Test
    void reasonOfSmallJvmIsWhatItEndedWith() {
        assertThat(SmallJvm.lastWord("""
                WARNING: a restricted method was called
                Exception in thread "main" java.io.IOException: 7 bytes arrived, and not 8
                \tat dev.paddock.benchmarks.family.OutputProgram.main(OutputProgram.java:41)

                """))
                .isEqualTo("Exception in thread \"main\" java.io.IOException: 7 bytes arrived, and not 8");
    }

    @Test
    void otherMachinesAreMeasuredOnlyIfTheyAreNamed() {
        assertThat(Families.ALL)
                .filteredOn(family -> !Main.settings().wants(family))
                .extracting(Family::name)
                .containsExactly("remote");
        assertThat(Main.settings("--only", "remote,kubernetes").wants(new Remote()))
                .isTrue();
    }

    @Test
    void unknownNamesAreRefused() {
        for (String name : List.of("bubblewrap", "host,", "bw")) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> Main.settings("--only", name))
                    .withMessageContaining("--only knows no '")
                    .withMessageContaining("landlock-cold")
                    .withMessageContaining("codex")
                    .withMessageContaining("young-jvm");
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Main.settings("--rounds", "none"))
                .withMessageContaining("'none'");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Main.settings("--fast"))
                .withMessageContaining("--fast");
    }
}
