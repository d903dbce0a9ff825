package dev.paddock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the start of the program in a JVM of its own: what it loads, and that it runs as modules. */
@Tag("full")
@EnabledOnOs(OS.LINUX)
class StartTest {
    /** Libraries that a start of a command on this machine has no use for. */
    private static final Pattern UNWANTED = Pattern.compile(
            "^(jnr\\.|org\\.objectweb\\.asm|com\\.fasterxml|com\\.github\\.dockerjava|com\\.google|dev\\.langchain4j"
                    + "|io\\.fabric8|dev\\.paddock\\.harness\\.acp"
                    + "|io\\.modelcontextprotocol|com\\.agentclientprotocol|reactor\\.|org\\.jsoup|org\\.snakeyaml|org\\.tomlj|org\\.jline|org\\.antlr"
                    + "|com\\.github\\.difflib|org\\.mozilla|com\\.dokar|kotlin|ch\\.qos\\.logback).*");

    /** The JDK generates these at each start, and no class cache holds them. */
    private static final Pattern GENERATED = Pattern.compile("^dev\\.paddock\\..*\\$\\$TypeSwitch.*");

    @TempDir
    Path directory;

    private Path worktree;

    @BeforeEach
    void createWorktree() throws Exception {
        worktree = Files.createDirectory(directory.resolve("worktree"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"host", "landlock", "auto"})
    void commandOnThisMachineLoadsNoLibraryThatItDoesNotCall(String executor) throws Exception {
        Path log = directory.resolve("classes");
        JavaProgram.run(
                worktree,
                "-Xlog:class+load:file=" + log + ":none",
                "-cp",
                System.getProperty("java.class.path", ""),
                Main.class.getName(),
                "exec",
                "--executor",
                executor,
                "-n",
                "--",
                "echo",
                "done");

        assertThat(Files.readAllLines(log))
                .anyMatch(line -> line.startsWith(Main.class.getName() + " "))
                .noneMatch(line -> UNWANTED.matcher(line).matches())
                .noneMatch(line -> GENERATED.matcher(line).matches());
    }

    /** The JDK generates the methods of records at their first call: 20 ms within a command. */
    @ParameterizedTest
    @ValueSource(strings = {"landlock", "bwrap"})
    void firstCommandsOfExecutorGenerateNoMethodsOfRecords(String executor) throws Exception {
        Files.createDirectories(worktree.resolve(".git/objects"));
        Files.createDirectories(worktree.resolve(".git/refs"));
        Files.writeString(worktree.resolve(".git/HEAD"), "ref: refs/heads/main\n");
        Path log = directory.resolve("classes");
        JavaProgram.run(
                worktree,
                "-Xlog:class+load:file=" + log + ":none",
                "-cp",
                System.getProperty("java.class.path", ""),
                FewCommands.class.getName(),
                executor);

        assertThat(Files.readAllLines(log))
                .anyMatch(line -> line.startsWith(FewCommands.class.getName() + " "))
                .noneMatch(line -> line.startsWith("java.lang.runtime.ObjectMethods"));
    }

    @Test
    void commandRunsAsConfiguredOnModulePath() throws Exception {
        Path config = Files.writeString(directory.resolve("paddock.yaml"), "executor: bwrap\n");
        JavaProgram.runAsModule(worktree, "exec", "--config", config.toString(), "-n", "--", "echo", "done");
    }

    @ParameterizedTest
    @ValueSource(strings = {"host", "landlock"})
    void commandRunsOnModulePath(String executor) throws Exception {
        JavaProgram.runAsModule(worktree, "exec", "--executor", executor, "-n", "--", "echo", "done");
    }
}
