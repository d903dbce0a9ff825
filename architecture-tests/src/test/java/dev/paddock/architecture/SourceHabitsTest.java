package dev.paddock.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
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

    /**
     * Matches the reader of a pipe that may exit before it has read everything. The writer then ends by
     * SIGPIPE, or not, as it happens; with {@code pipefail} its script ends as well.
     */
    private static final Pattern EARLY_READER =
            Pattern.compile("(?<!\\|)\\|\\s*(?:head\\b|grep(?: -\\w+)*? -\\w*[qm])");

    /** Matches the reading of another script of this checkout. */
    private static final Pattern SOURCED =
            Pattern.compile("^\\s*\\. \"?(?:\\$root/)?(build/[\\w./-]+)", Pattern.MULTILINE);

    /** Returns the scripts that run with pipefail, those that they read among them. */
    private static Set<String> scriptsWithPipefail() throws IOException {
        Set<String> scripts = new TreeSet<>();
        for (String script : List.of("verify", ".ci/run", "build/dist")) {
            String text = script(script);
            assertThat(text).contains("set -euo pipefail");
            scripts.add(script);
            SOURCED.matcher(text).results().forEach(match -> scripts.add(match.group(1)));
        }
        return scripts;
    }

    private static String script(String name) throws IOException {
        return Files.readString(Path.of("..").resolve(name));
    }

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

    @Test
    void noPipeOfScriptWithPipefailIsReadInPart() throws IOException {
        Set<String> scripts = scriptsWithPipefail();
        assertThat(scripts).contains("build/docker-engine.sh", "build/kubernetes.sh", "build/clean-machine.sh");
        for (String script : scripts) {
            assertThat(EARLY_READER.matcher(script(script)).results().map(MatchResult::group))
                    .as(script)
                    .isEmpty();
        }
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
        assertThat(EARLY_READER.matcher("sort -rn | head -n 5 |").find()).isTrue();
        assertThat(EARLY_READER.matcher("list | grep -Fq x").find()).isTrue();
        assertThat(EARLY_READER.matcher("list | grep -F -q x").find()).isTrue();
        assertThat(EARLY_READER.matcher("list | grep -hm1 x").find()).isTrue();
        assertThat(EARLY_READER.matcher("list | grep -v x; a || grep -q x file").find())
                .isFalse();
        assertThat(sources()).hasSizeGreaterThan(100);
    }
}
