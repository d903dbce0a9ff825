package dev.paddock.cli.reference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.paddock.cli.Cli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("full")
class ManCommandTest {
    @TempDir
    private Path directory;

    private Path page;

    @BeforeEach
    void writePage() throws Exception {
        Cli.Result result = Cli.in(directory).run("man");
        assertThat(result.stderr()).isEmpty();
        page = Files.writeString(directory.resolve("paddock.1"), result.stdout());
    }

    /** Renders with every warning of the formatter switched on. */
    @Test
    void pageRendersWithoutWarnings() throws Exception {
        Cli.Result result = render("groff", "-man", "-Tascii", "-ww", "-P-c", "-rLL=100n", page.toString());
        assertThat(result.stderr()).isEmpty();
        String text = Pattern.compile(".\b").matcher(result.stdout()).replaceAll("");
        assertThat(text)
                .contains("paddock - gives a model a shell without giving it the machine")
                .contains("--executor NAME", "where commands run: auto (the default) takes the strongest")
                .contains("paddock exec --executor bwrap --timeout 60 -c 'make test 2>&1 | tail'\n")
                .contains("--kill-grace SECONDS", "PADDOCK_DEBUG");
        assertThat(text).contains("paddock setup claude|codex|cursor|vscode|zed|jetbrains [options]", "--undo");
        assertThat(text.lines().filter(line -> line.strip().equals("paddock mcp [options]")))
                .hasSize(1);
    }

    @Test
    void manShowsPage() throws Exception {
        Cli.Result result = render("man", "--warnings", "-P", "cat", "-l", page.toString());
        assertThat(result.stderr()).isEmpty();
        assertThat(result.stdout()).contains("paddock doctor [--json]");
    }

    private static Cli.Result render(String... words) throws Exception {
        try {
            ProcessBuilder builder = new ProcessBuilder(List.of(words));
            builder.environment().put("LC_ALL", "C");
            return Cli.finish(builder.start());
        } catch (IOException absent) {
            assumeTrue(System.getenv("CI") != null, "this test takes " + words[0]);
            throw absent;
        }
    }
}
