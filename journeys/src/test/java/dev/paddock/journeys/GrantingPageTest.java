package dev.paddock.journeys;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The lines of the page about granting for each ecosystem: the first fetches what a project needs, with which the
 * second builds it without a network. The network is open here in place of the allowed hosts, whose names may lead
 * anywhere on a test machine.
 */
@EnabledOnOs(OS.LINUX)
@Tag("full")
class GrantingPageTest {
    private static final Path PAGE = Path.of("..", "docs", "granting.md");
    private static final Pattern ROW = Pattern.compile(
            "\\| (\\w+) \\| `(--cache \\w+)(?: --allow \\S+)+ (-- .+)` \\| `paddock exec (.+)` \\|");

    @TempDir
    private Path root;

    static Stream<Arguments> rows() throws IOException {
        return Files.readAllLines(PAGE).stream()
                .map(ROW::matcher)
                .filter(Matcher::matches)
                .map(row -> Arguments.of(row.group(1), row.group(2) + " --network open " + row.group(3), row.group(4)));
    }

    @Test
    void pageHasRowForEachEcosystem() throws Exception {
        assertThat(rows()).hasSize(FirstProject.values().length);
    }

    @ParameterizedTest
    @MethodSource("rows")
    void fetchedProjectIsBuiltWithoutNetwork(String ecosystem, String fetch, String build) throws Exception {
        FirstProject project = FirstProject.valueOf(ecosystem.toUpperCase(Locale.ROOT));
        Paddock paddock = project.create(root.toRealPath());
        if (project == FirstProject.NPM) {
            paddock.host("npm install --silent --package-lock-only --no-audit --no-fund");
        }
        Paddock.Result fetched = type(paddock, fetch);
        assertThat(fetched.exitCode()).as("%s", fetched).isZero();
        Paddock.Result built = type(paddock, build.replace("-m pytest", "-m unittest")); // which needs no package
        assertThat(built.exitCode()).as("%s", built).isZero();
    }

    /** Runs the command with the words as the user's shell passes them on. */
    private static Paddock.Result type(Paddock paddock, String line) throws Exception {
        List<String> words = new ArrayList<>(List.of("exec", "--executor", "bwrap"));
        paddock.host("printf '%s\\n' " + line).lines().forEach(words::add);
        return paddock.run(words.toArray(String[]::new));
    }
}
