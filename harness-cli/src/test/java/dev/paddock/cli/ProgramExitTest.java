package dev.paddock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests how the program's own process ends: without the JVM's exit, which waits 300 ms for a thread that
 * reads standard input, if the launcher has started it and has chosen its options.
 */
@EnabledOnOs(OS.LINUX)
class ProgramExitTest {
    private static final String BY_THE_JVM = "exits by the JVM\n";

    @TempDir
    Path directory;

    private Cli cli;

    /** The program with a shutdown hook, which shows whether the JVM has exited. */
    static final class Hooked {
        private Hooked() {}

        public static void main(String[] arguments) {
            Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.print(BY_THE_JVM)));
            Main.main(arguments);
        }
    }

    @BeforeEach
    void createCli() {
        cli = Cli.in(directory)
                .withoutEnv("JAVA_TOOL_OPTIONS")
                .withoutEnv("JDK_JAVA_OPTIONS")
                .withoutEnv("_JAVA_OPTIONS")
                .mainClass(Hooked.class);
    }

    /** Runs a command while the program's input stays open. */
    private Cli.Result runWithOpenInput(String... command) throws Exception {
        Process process = cli.start(ExecCommandTest.onHost(command));
        String stdout = Cli.text(process.getInputStream());
        String stderr = Cli.text(process.getErrorStream());
        Cli.Result result = new Cli.Result(Cli.awaitExit(process), stdout, stderr);
        process.getOutputStream().close();
        return result;
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 255})
    void programEndsWithoutJvmsExit(int exitCode) throws Exception {
        assertThat(runWithOpenInput("sh", "-c", "echo out; echo err >&2; exit " + exitCode))
                .isEqualTo(new Cli.Result(exitCode, "out\n", "err\n"));
    }

    /** Several times what a pipe holds, so that the reader gets most of it after the command has ended. */
    @Test
    void noOutputIsLost() throws Exception {
        assertThat(runWithOpenInput("head", "-c", "1000000", "/dev/zero").stdout())
                .hasSize(1_000_000);
    }

    @ParameterizedTest
    @ValueSource(strings = {"JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS"})
    void jvmExitsByItselfIfCallerHasAddedOptions(String variable) throws Exception {
        cli.env(variable, "-Dadded=1");
        assertThat(runWithOpenInput("true").stdout()).isEqualTo(BY_THE_JVM);
    }

    @Test
    void jvmExitsByItselfIfNoLauncherHasStartedIt() throws Exception {
        cli.calledBy(Optional.empty());
        assertThat(runWithOpenInput("true").stdout()).isEqualTo(BY_THE_JVM);
    }

    /** A command that needs no C library does not load it for its end. */
    @Test
    void jvmExitsByItselfWhereCLibraryWasNotUsed() throws Exception {
        assertThat(cli.run("--version").stdout()).endsWith(BY_THE_JVM);
    }

    /** The JVM's exit would have removed the file with its counters. */
    @Test
    void nothingOfJvmStaysInDirectoryForTemporaryFiles() throws Exception {
        Process process = Cli.in(directory).start(ExecCommandTest.onHost("true"));
        assertThat(Cli.finish(process).exitCode()).isZero();
        Path counters = Path.of("/tmp", "hsperfdata_" + System.getProperty("user.name"));
        assertThat(Files.exists(counters.resolve(Long.toString(process.pid())))).isFalse();
    }
}
