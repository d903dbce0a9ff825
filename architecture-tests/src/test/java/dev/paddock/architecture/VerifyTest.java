package dev.paddock.architecture;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs parts of {@code ./verify} on a small checkout. */
class VerifyTest {
    private static final long BOUND_SECONDS = 60;

    private static final String PRELUDE = """
            set -euo pipefail
            say() { echo "$*"; }
            full=
            . "$1/build/stale-classes.sh"
            . "$1/build/test-reports.sh"
            """;

    private static final String REPORT = """
            <testsuite name="dev.paddock.FirstTest" time="4.5" tests="2" errors="0" skipped="0" failures="1">
              <testcase name="works" classname="dev.paddock.FirstTest" time="0.5"/>
              <testcase name="breaks(int)[1]" classname="dev.paddock.FirstTest" time="4.0">
                <failure message="1 &lt; 2">AssertionError: 1 &lt; 2</failure>
                <system-out><![CDATA[what it printed]]></system-out>
              </testcase>
            </testsuite>
            """;

    @TempDir
    private Path checkout;

    @BeforeEach
    void aModuleWithATest() throws IOException {
        write("module/src/main/java/dev/paddock/First.java", "");
        write("module/src/main/resources/dev/paddock/words.txt", "");
        write("module/src/test/java/dev/paddock/FirstTest.java", "class FirstTest {\n    @Test\n}\n");
        write("module/target/classes/dev/paddock/First.class", "");
        write("module/target/classes/dev/paddock/First$Inner.class", "");
        write("module/target/classes/dev/paddock/words.txt", "");
        write("module/target/test-classes/dev/paddock/FirstTest.class", "");
        write("build/slow-tests.txt", "# none\n");
    }

    private void write(String path, String text) throws IOException {
        Path file = checkout.resolve(path);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    /** Returns what the lines print in the checkout, and at the end how they ended. */
    private List<String> bash(String lines) throws Exception {
        Path root = Path.of("..").toRealPath();
        Process bash = new ProcessBuilder("bash", "-c", PRELUDE + lines, "bash", root.toString())
                .directory(checkout.toFile())
                .redirectErrorStream(true)
                .start();
        bash.getOutputStream().close();
        List<String> printed =
                new String(bash.getInputStream().readAllBytes(), UTF_8).lines().toList();
        assertThat(bash.waitFor(BOUND_SECONDS, TimeUnit.SECONDS)).isTrue();
        assertThat(bash.exitValue()).as("%s", printed).isZero();
        return printed;
    }

    @Test
    void whatIsUpToDateStays() throws Exception {
        assertThat(bash("remove_stale_classes")).isEmpty();
        assertThat(checkout.resolve("module/target/classes")).exists();
        assertThat(checkout.resolve("module/target/test-classes")).exists();
    }

    @Test
    void classWithoutSourceIsCompiledAway() throws Exception {
        write("module/target/test-classes/dev/paddock/DeletedTest$Inner.class", "");
        assertThat(bash("remove_stale_classes")).containsExactly("compiling ./module anew, since a source was removed");
        assertThat(checkout.resolve("module/target/classes")).exists();
        assertThat(checkout.resolve("module/target/test-classes")).doesNotExist();
    }

    @Test
    void resourceWithoutFileIsCompiledAway() throws Exception {
        write("module/target/classes/META-INF/services/dev.paddock.Deleted", "");
        bash("remove_stale_classes");
        assertThat(checkout.resolve("module/target/classes")).doesNotExist();
    }

    @Test
    void failureIsPrintedWithItsOutputAndCommandThatRepeatsIt() throws Exception {
        write("module/target/surefire-reports/TEST-dev.paddock.FirstTest.xml", REPORT);
        assertThat(bash("print_failures; count_tests"))
                .containsSubsequence(
                        "FAILED: dev.paddock.FirstTest.breaks(int)[1]",
                        "to repeat it: ./verify module --test 'dev.paddock.FirstTest#breaks'",
                        "2 tests, 1 failed, 0 skipped")
                .anyMatch(line -> line.contains("AssertionError: 1 < 2"))
                .anyMatch(line -> line.contains("what it printed"));
    }

    @Test
    void slowTestIsNamedUnlessItIsListed() throws Exception {
        write("module/target/surefire-reports/TEST-dev.paddock.FirstTest.xml", REPORT);
        assertThat(bash("print_over_budget"))
                .containsExactly("over the 3 s that a test may take: 4 s FirstTest#breaks");
        write("build/slow-tests.txt", "FirstTest#breaks waits for the kernel\n");
        assertThat(bash("print_over_budget")).isEmpty();
        write("build/slow-tests.txt", "FirstTest#* waits for the kernel\n");
        assertThat(bash("print_over_budget")).isEmpty();
    }

    /** A JVM that is killed leaves no report. */
    @Test
    void classWithoutReportFailsRun() throws Exception {
        assertThat(bash("check_all_ran module || echo failed"))
                .containsExactly("without a report: module:dev.paddock.FirstTest", "failed");
        write("module/target/surefire-reports/TEST-dev.paddock.FirstTest.xml", REPORT);
        assertThat(bash("check_all_ran module || echo failed")).isEmpty();
    }

    @Test
    void classWithTagFullIsExpectedInFullRun() throws Exception {
        write("module/src/test/java/dev/paddock/FirstTest.java", "@Tag(\"full\")\nclass FirstTest {\n    @Test\n}\n");
        assertThat(bash("check_all_ran module || echo failed")).isEmpty();
        assertThat(bash("full=yes; check_all_ran module || echo failed")).contains("failed");
    }
}
