package dev.paddock.harness;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.executor.CommandExecutor;
import dev.paddock.harness.model.Message;
import dev.paddock.harness.model.ScriptedModel;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.opentest4j.TestAbortedException;

/**
 * Runs with canary variables in its environment; prints their names, and for each backend the
 * environment of a session's command.
 */
public final class EnvironmentProgram {
    private EnvironmentProgram() {}

    /**
     * Runs the program with a value that the canaries contain, and returns the lines that it
     * prints: {@code program NAME} for each canary, and {@code BACKEND NAME=VALUE} for each variable
     * of a command.
     */
    public static List<String> run(Path directory, String canary) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        EnvironmentProgram.class.getName(),
                        directory.toString(),
                        canary)
                .redirectError(ProcessBuilder.Redirect.INHERIT);
        for (String name : List.of("GIT_CANARY", "GIT_PAGER", "CANARY_PAGER")) {
            builder.environment().put(name, canary);
        }
        builder.environment().put("JAVA_TOOL_OPTIONS", "-Dcanary=" + canary);
        Process program = builder.start();
        try {
            List<String> printed = new String(program.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .toList();
            assertThat(program.waitFor(1, TimeUnit.MINUTES)).isTrue();
            assertThat(program.exitValue())
                    .as("the program printed %s", printed)
                    .isZero();
            return printed;
        } finally {
            program.destroyForcibly();
        }
    }

    public static void main(String[] arguments) throws IOException {
        System.getenv().forEach((name, value) -> {
            if (value.contains(arguments[1])) {
                System.out.println("program " + name);
            }
        });
        for (Backend backend : Backend.values()) {
            Path worktree = Files.createDirectory(Path.of(arguments[0], "environment-" + backend));
            try (CommandExecutor executor = backend.executor(worktree)) {
                printEnvironment(backend, executor, worktree);
            } catch (TestAbortedException | AssertionError absent) {
                // The test class has been skipped, or has failed, for this backend.
            }
        }
    }

    private static void printEnvironment(Backend backend, CommandExecutor executor, Path worktree) {
        try (AgentSession session = AgentSession.builder()
                .model(
                        ScriptedModel.parse(
                                "environment",
                                "{\"turns\": [{\"calls\": [{\"tool\": \"bash\", \"arguments\": {\"command\": \"env\"}}]}, {\"text\": \"Done.\"}]}"))
                .cwd(worktree)
                .executor(executor)
                .execCwd(backend.mapping(worktree).commandPath())
                .build()) {
            session.prompt("Go");
            session.messages().stream()
                    .filter(Message.ToolResults.class::isInstance)
                    .flatMap(message -> ((Message.ToolResults) message).results().stream())
                    .flatMap(result -> result.text().lines())
                    .forEach(line -> System.out.println(backend + " " + line));
        }
    }
}
