package dev.paddock.journeys;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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
 * The first lines of each ecosystem's page: one fetches what a project needs, with which the next builds it without a
 * network. The network is open here in place of the allowed hosts, whose names may lead anywhere on a test machine.
 */
@EnabledOnOs(OS.LINUX)
@Tag("full")
class EcosystemPagesTest {
    private static final Pattern FETCH_AND_BUILD = Pattern.compile(
            "^paddock exec --cache (\\w+)(?: --allow \\S+)+ (-- .+?)(?:  +# .*)?\npaddock exec (.+?)(?:  +# .*)?$",
            Pattern.MULTILINE);
    private static final Map<String, FirstProject> BY_CACHE = Map.of(
            "maven", FirstProject.MAVEN,
            "gradle", FirstProject.GRADLE,
            "npm", FirstProject.NPM,
            "pip", FirstProject.PYTHON,
            "go", FirstProject.GO,
            "cargo", FirstProject.RUST);

    @TempDir
    private Path root;

    static Stream<Arguments> lines() throws IOException {
        List<Arguments> lines = new ArrayList<>();
        for (String page : List.of("jvm", "npm", "python", "go", "rust")) {
            Matcher matcher = FETCH_AND_BUILD.matcher(Files.readString(Path.of("..", "docs", page + ".md")));
            while (matcher.find()) {
                String fetch = "--cache " + matcher.group(1) + " --network open " + matcher.group(2);
                lines.add(Arguments.of(BY_CACHE.get(matcher.group(1)), fetch, matcher.group(3)));
            }
        }
        return lines.stream();
    }

    @Test
    void pagesHaveLinesForEachProject() throws Exception {
        assertThat(lines().map(line -> line.get()[0])).containsExactlyInAnyOrder((Object[]) FirstProject.values());
    }

    @ParameterizedTest
    @MethodSource("lines")
    void fetchedProjectIsBuiltWithoutNetwork(FirstProject project, String fetch, String build) throws Exception {
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
