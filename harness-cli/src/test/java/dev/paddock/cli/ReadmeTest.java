package dev.paddock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.cli.demo.DemoProject;
import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.host.HostExecutor;
import dev.paddock.harness.model.Model;
import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The readme's examples do what the readme says. */
class ReadmeTest {
    private static final Path README = Path.of("..", "README.md");

    @TempDir
    private Path directory;

    @TempDir
    private Path state;

    @BeforeEach
    void writeProject() throws IOException {
        DemoProject.writeTo(directory);
        Files.createDirectories(directory.resolve(".claude/skills"));
    }

    private static List<String> blocks(String language) throws IOException {
        Pattern block = Pattern.compile("(?ms)^```" + language + "\\n(.*?)^```$");
        return block.matcher(Files.readString(README))
                .results()
                .map((MatchResult found) -> found.group(1))
                .toList();
    }

    /**
     * Those with a toolbox, or with a model of LangChain4j's, are lines of the samples; the files
     * without a session are tested in their module.
     */
    static Stream<String> programs() throws IOException {
        return blocks("java").stream()
                .filter(body -> !body.contains("Toolbox.builder()"))
                .filter(body -> !body.contains("WorkspaceFiles"))
                .filter(body -> !body.contains("DockerExecutor"))
                .filter(body -> !body.contains("LangChain4jModel"))
                .filter(body -> !body.contains("executor.run("));
    }

    static Stream<String> programsOfProviders() throws IOException {
        return blocks("java").stream().filter(body -> body.contains("LangChain4jModel.of"));
    }

    static Stream<String> programsOfContainers() throws IOException {
        return blocks("java").stream().filter(body -> body.contains("DockerExecutor"));
    }

    static Stream<String> programsWithoutASession() throws IOException {
        return blocks("java").stream().filter(body -> body.contains("executor.run("));
    }

    @ParameterizedTest
    @MethodSource("programsWithoutASession")
    void programsWithoutASessionRun(String body) throws Exception {
        invoke(body);
    }

    /** The samples run these programs: they contain the same lines. */
    @ParameterizedTest
    @MethodSource("programsOfContainers")
    void programsOfContainersCompile(String body) {
        compile(source(body));
    }

    /**
     * Returns a source file around a program of the readme: the imports and variables that the
     * readme presumes.
     */
    private static String source(String body) {
        return """
                import dev.paddock.executor.*;
                import dev.paddock.executor.docker.*;
                import dev.paddock.executor.host.*;
                import dev.paddock.executor.policy.*;
                import dev.paddock.executor.run.*;
                import dev.paddock.harness.*;
                import dev.paddock.harness.approval.*;
                import dev.paddock.harness.events.*;
                import dev.paddock.harness.langchain4j.*;
                import dev.paddock.harness.model.*;
                import dev.paddock.harness.tools.*;
                import dev.paddock.harness.tools.skills.*;
                import dev.paddock.harness.tools.web.*;
                import java.nio.charset.*;
                import java.nio.file.*;
                import java.time.*;
                import java.util.*;

                public final class Readme {
                    private static final String id = "", image = "";
                    private static final WebSearch search = (query, most, signal) -> List.of();

                    private static Approval ask(ApprovalRequest call) {
                        return Approval.allowForSession();
                    }

                    public static void run(Model model, Path worktree, CommandExecutor executor) throws Exception {
                %s
                    }

                    public static void main(String[] arguments) throws Exception {
                        try (CommandExecutor executor = HostExecutor.create()) {
                            run((request, listener) -> AssistantTurn.saying(""), Path.of(""), executor);
                        }
                    }
                }
                """.formatted(body);
    }

    @ParameterizedTest
    @MethodSource("programs")
    void programsRun(String body) throws Exception {
        invoke(body);
        assertThat(directory.resolve("leap.sh")).content().contains("400");
    }

    private void invoke(String body) throws Exception {
        compile(source(body));
        URL classes = directory.toUri().toURL();
        try (URLClassLoader loader = new URLClassLoader(new URL[] {classes}, ReadmeTest.class.getClassLoader());
                CommandExecutor executor = HostExecutor.create()) {
            loader.loadClass("Readme")
                    .getMethod("run", Model.class, Path.class, CommandExecutor.class)
                    .invoke(null, DemoProject.model(), directory, executor);
        }
    }

    /**
     * The environment contains the key, and the address of the provider that replaces Anthropic.
     */
    @ParameterizedTest
    @MethodSource("programsOfProviders")
    void programsOfProvidersRun(String body) throws Exception {
        compile(source(body));
        URL[] classes = {directory.toUri().toURL()};
        try (URLClassLoader loader = new URLClassLoader(classes, ReadmeTest.class.getClassLoader());
                ModelServer server = ModelServer.of(DemoProject.model())) {
            Cli.Result result = server.knownTo(Cli.in(directory))
                    .env("XDG_STATE_HOME", state.toString())
                    .classPath(directory)
                    .mainClass(loader.loadClass("Readme"))
                    .run();
            assertThat(result.exitCode()).as("%s", result).isZero();
        }
        assertThat(directory.resolve("leap.sh")).content().contains("400");
    }

    private void compile(String source) {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter messages = new StringWriter();
        List<String> options = List.of(
                "-d",
                directory.toString(),
                "-cp",
                System.getProperty("java.class.path"),
                "-proc:none",
                "-Xlint:-options");
        SimpleJavaFileObject file =
                new SimpleJavaFileObject(URI.create("string:///Readme.java"), javax.tools.JavaFileObject.Kind.SOURCE) {
                    @Override
                    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                        return source;
                    }
                };
        boolean isCompiled = compiler.getTask(messages, null, null, options, null, List.of(file))
                .call();
        assertThat(isCompiled).as("%s%n%s", messages, source).isTrue();
    }

    static Stream<String> lines() throws IOException {
        return blocks("sh").stream()
                .flatMap(String::lines)
                .map(line -> line.replaceFirst("\\s+#.*", "").strip())
                .filter(line -> !line.isEmpty())
                // It runs this test.
                .filter(line -> !line.equals("./verify"));
    }

    /** Runs the program in place of the launcher, in a directory whose test passes. */
    @ParameterizedTest
    @MethodSource("lines")
    void shellLinesRun(String line) throws Exception {
        assertThat(line).as("a line that this test knows how to run").startsWith("./paddock ");
        boolean hasSandbox = Cli.in(directory).run("doctor").exitCode() == 0;
        String rest = line.substring("./paddock".length()).replace("make test", "echo tested"); // needs no make
        Cli.Result result;
        try (ModelServer server = ModelServer.of(DemoProject.model())) {
            ProcessBuilder shell =
                    new ProcessBuilder("sh", "-c", Cli.in(directory).shellWords() + rest).directory(directory.toFile());
            shell.environment().putAll(server.environment());
            shell.environment().put("XDG_STATE_HOME", state.toString());
            result = Cli.finish(shell.start());
        }
        int withoutSandbox =
                line.matches("./paddock (exec --|agent) .*") ? 125 : line.equals("./paddock doctor") ? 1 : 0;
        int expected = hasSandbox ? 0 : withoutSandbox;
        assertThat(result.exitCode()).as("%s", result).isEqualTo(expected);
        if (line.startsWith("./paddock agent") && expected == 0) {
            assertThat(directory.resolve("leap.sh")).content().contains("400");
        }
        if (line.contains("make test") && expected == 0) {
            assertThat(result.stdout()).isEqualTo("tested\n");
        }
    }

    @Test
    void thereIsSomethingToRun() throws IOException {
        assertThat(blocks("java")).isNotEmpty();
        assertThat(lines()).hasSizeGreaterThan(3);
    }
}
