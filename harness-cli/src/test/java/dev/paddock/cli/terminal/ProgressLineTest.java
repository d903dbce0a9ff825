package dev.paddock.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.cli.Cli;
import dev.paddock.cli.FakeProvider;
import dev.paddock.executor.Progress;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How the pull of an image, and other long tasks, are shown. */
class ProgressLineTest {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);

    private static Progress fetching(double fraction) {
        return Progress.of("fetching the image 'x'", OptionalDouble.of(fraction), "1 of 2 layers");
    }

    private String written() {
        return bytes.toString(StandardCharsets.UTF_8);
    }

    @Test
    void terminalShowsBarThatIsTakenAway() {
        ProgressLine line = new ProgressLine(out, () -> true);
        line.accept(fetching(0.25));
        line.accept(fetching(1));
        assertThat(written())
                .isEqualTo("\rfetching the image 'x'  [#####...............]  25 %  1 of 2 layers\u001b[K"
                        + "\rfetching the image 'x'  [####################] 100 %  1 of 2 layers\u001b[K");
        bytes.reset();
        line.clear();
        line.clear();
        assertThat(written()).isEqualTo("\r\u001b[K");
    }

    @Test
    void barFitsIntoLine() {
        ProgressLine line = new ProgressLine(out, () -> true);
        line.accept(Progress.of("fetching " + "x".repeat(200), OptionalDouble.of(0.5), "30 of 60 layers"));
        line.accept(Progress.of("y", OptionalDouble.of(0.5), "z".repeat(200)));
        assertThat(written().split("\r", -1))
                .allSatisfy(drawn -> assertThat(drawn.replace("\u001b[K", "")).hasSizeLessThan(80));
        assertThat(written()).contains("xxx…  [##########..........]  50 %  30 of 60 layers");
    }

    @Test
    void withoutTerminalThereIsLineNowAndThen() {
        ProgressLine line = new ProgressLine(out, () -> false);
        line.accept(Progress.of("fetching the image 'x'", OptionalDouble.empty(), ""));
        for (double fraction : List.of(0.01, 0.09, 0.15, 0.16, 0.12, 0.19, 0.99, 1.0, 1.0)) {
            line.accept(fetching(fraction));
        }
        line.clear();
        assertThat(written().lines())
                .containsExactly(
                        "paddock: fetching the image 'x'",
                        "paddock: fetching the image 'x': 15 %, 1 of 2 layers",
                        "paddock: fetching the image 'x': 99 %, 1 of 2 layers",
                        "paddock: fetching the image 'x': 100 %, 1 of 2 layers");
    }

    @Test
    void taskOfUnknownLengthIsReportedAgainWithoutTerminal() {
        ProgressLine line = new ProgressLine(out, () -> false, Duration.ZERO);
        line.accept(Progress.of("copying", OptionalDouble.empty(), "1 s"));
        line.accept(Progress.of("copying", OptionalDouble.empty(), "11 s"));
        assertThat(written()).isEqualTo("paddock: copying, 1 s\npaddock: copying, 11 s\n");

        bytes.reset();
        ProgressLine usual = new ProgressLine(out, () -> false);
        usual.accept(Progress.of("copying", OptionalDouble.empty(), "1 s"));
        usual.accept(Progress.of("copying", OptionalDouble.empty(), "2 s"));
        assertThat(written()).isEqualTo("paddock: copying, 1 s\n");
    }

    @Test
    void execShowsProgressOnStandardError(@TempDir Path directory) throws Exception {
        Cli.Result result = Cli.in(directory)
                .withoutSandboxes()
                .classPath(FakeProvider.declare(directory.resolve("services"), List.of(FakeProvider.Slow.class)))
                .run("exec", "-n", "--", "echo", "out");
        assertThat(result).isEqualTo(new Cli.Result(0, "out\n", """
            paddock: warming up
            paddock: warming up: 50 %, half of it
            paddock: warming up: 100 %
            """));
    }
}
