package dev.paddock.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Checks rules for the sources, tests included, that compiled classes do not show. */
class SourceHabitsTest {
    /** Matches Awaitility's await without an alias; not a latch's or another object's. */
    private static final Pattern NAMELESS_WAIT = Pattern.compile("(?:\\bAwaitility\\s*\\.|(?<![\\w.]))\\s*await\\(\\)");

    /**
     * Matches a number of a planning table in a method's name. The clauses C1 to C19 are
     * documented, and stay.
     */
    private static final Pattern PLANNING_NUMBER =
            Pattern.compile("\\bvoid (?:\\w+_)?(?:HX|HD|HL|HW|AC|IR|B|D|H)_?\\d+(?:_\\w*)?\\(");

    private static List<Path> sources() throws IOException {
        List<Path> sources = new ArrayList<>();
        try (Stream<Path> modules = Files.list(Path.of(".."))) {
            for (Path module :
                    (Iterable<Path>) modules.map(path -> path.resolve("src")).filter(Files::isDirectory)::iterator) {
                try (Stream<Path> files = Files.walk(module)) {
                    files.filter(file -> file.toString().endsWith(".java")).forEach(sources::add);
                }
            }
        }
        return sources;
    }

    private static List<String> matches(Pattern forbidden, String marker) throws IOException {
        List<String> found = new ArrayList<>();
        for (Path source : sources()) {
            String text = Files.readString(source);
            if (text.contains(marker)) {
                forbidden
                        .matcher(text)
                        .results()
                        .forEach(match -> found.add(source + ": "
                                + text.substring(0, match.start()).lines().count()));
            }
        }
        return found;
    }

    @Test
    void everyAwaitSaysWhatItWaitsFor() throws IOException {
        assertThat(matches(NAMELESS_WAIT, "import " + "static org.awaitility")).isEmpty();
        assertThat(matches(NAMELESS_WAIT, "import " + "org.awaitility")).isEmpty();
    }

    @Test
    void testsAreNamedByBehaviorNotByPlanningNumbers() throws IOException {
        assertThat(matches(PLANNING_NUMBER, "void ")).isEmpty();
    }

    /** Positive control: the rules above would also hold if the patterns matched nothing. */
    @Test
    void patternsRecognizeTheirCases() throws IOException {
        assertThat(NAMELESS_WAIT.matcher("  await().until(x)").find()).isTrue();
        assertThat(NAMELESS_WAIT.matcher("Awaitility.await()").find()).isTrue();
        assertThat(NAMELESS_WAIT.matcher("latch.await()").find()).isFalse();
        assertThat(NAMELESS_WAIT.matcher("await(\"the end\")").find()).isFalse();
        assertThat(PLANNING_NUMBER.matcher("void " + "HX12_tail() {").find()).isTrue();
        assertThat(PLANNING_NUMBER.matcher("void " + "IR_3_tail() {").find()).isTrue();
        assertThat(PLANNING_NUMBER.matcher("void C6_apart() {").find()).isFalse();
        assertThat(sources()).hasSizeGreaterThan(100);
    }
}
