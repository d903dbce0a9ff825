package dev.paddock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The readme's picture of a terminal shows what a terminal shows. */
@EnabledOnOs(OS.LINUX)
class RecordedSessionTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Pattern LINE = Pattern.compile("<text [^>]*>(.*?)</text>");

    @TempDir
    private Path directory;

    /** Returns a screen without what differs from run to run: numbers, and where lines are folded. */
    private static String shape(Stream<String> lines) {
        return lines.collect(Collectors.joining()).replaceAll("\\s+", "").replaceAll("[0-9]+", "#");
    }

    @Test
    @Tag("full")
    void pictureShowsRealSession() throws Exception {
        McpBackend.BWRAP.require();
        List<String> drawn = LINE.matcher(Files.readString(ROOT.resolve("docs/first-contact.svg")))
                .results()
                .map(found -> found.group(1))
                .map(text -> text.replaceAll("<[^>]*>", ""))
                .map(text -> text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&"))
                .toList();
        assertThat(drawn).hasSizeGreaterThan(10);
        Process process = new ProcessBuilder(
                        "python3",
                        ROOT.resolve("build/record-session.py").toString(),
                        "--text",
                        "--paddock",
                        Cli.in(directory).shellWords())
                .start();
        Cli.Result recorded = Cli.finish(process);
        assertThat(recorded.exitCode()).as(recorded.stderr()).isZero();
        assertThat(shape(recorded.stdout().lines())).isEqualTo(shape(drawn.stream()));
    }
}
