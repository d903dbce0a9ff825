package dev.paddock.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.paddock.cli.demo.DemoProject;
import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.caller.CallerEnvironment;
import dev.paddock.executor.host.HostExecutor;
import dev.paddock.harness.model.Model;
import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The examples of the readme and of the pages that it leads to do what these say. */
class ReadmeTest {
    private static final Path README = Path.of("..", "README.md");
    private static final Path DOCS = Path.of("..", "docs");

    /** The pages with programs. */
    private static final List<Path> PROGRAMS = List.of(README, DOCS.resolve("java.md"));

    private static final int MAX_README_LENGTH = 120;

    private static final JavaCompiler COMPILER = ToolProvider.getSystemJavaCompiler();

    /** Opens the libraries once for all programs. */
    private static final StandardJavaFileManager LIBRARIES =
            COMPILER.getStandardFileManager(null, Locale.ROOT, StandardCharsets.UTF_8);

    private static final boolean HAS_SANDBOX =
            Cli.in(Path.of("").toAbsolutePath()).call("", "doctor").exitCode() == 0;

    @TempDir
    private Path directory;

    @TempDir
    private Path state;

    @BeforeEach
    void writeProject() throws IOException {
        DemoProject.writeTo(directory);
        Files.createDirectories(directory.resolve(".claude/skills"));
    }

    /**
     * Those with a toolbox, or with a model of LangChain4j's, are lines of the samples; the files
     * without a session are tested in their module.
     */
    static Stream<String> programs() throws IOException {
        return Pages.blocks("java", PROGRAMS).stream()
                .filter(body -> !body.contains("Toolbox.builder()"))
                .filter(body -> !body.contains("WorkspaceFiles"))
                .filter(body -> !body.contains("DockerExecutor"))
                .filter(body -> !body.contains("LangChain4jModel"))
                .filter(body -> !body.contains("executor.run("))
                .filter(body -> !isOfAnIntegrator(body))
                .filter(body -> !body.contains("ExecutorProviders.auto("));
    }

    static Stream<String> programsWithASandbox() throws IOException {
        return Pages.blocks("java", PROGRAMS).stream().filter(body -> body.contains("ExecutorProviders.auto("));
    }

    private static boolean isOfAnIntegrator(String body) {
        return Stream.of("WrappedExecutor", "RemoteConnection", "ExecutorProvider ")
                .anyMatch(body::contains);
    }

    static Stream<String> programsOfIntegrators() throws IOException {
        return Pages.blocks("java", PROGRAMS).stream().filter(ReadmeTest::isOfAnIntegrator);
    }

    /** Each runs a command, which must succeed, in an executor of its own. */
    @ParameterizedTest
    @MethodSource("programsOfIntegrators")
    void programsOfIntegratorsRun(String body) throws Exception {
        invoke(body);
    }

    @Test
    void thereIsProgramForEachKindOfExecutor() throws IOException {
        assertThat(programsOfIntegrators()).hasSize(3);
    }

    static Stream<String> programsOfProviders() throws IOException {
        return Pages.blocks("java", PROGRAMS).stream().filter(body -> body.contains("LangChain4jModel.of"));
    }

    static Stream<String> programsOfContainers() throws IOException {
        return Pages.blocks("java", PROGRAMS).stream().filter(body -> body.contains("DockerExecutor"));
    }

    static Stream<String> programsWithoutASession() throws IOException {
        return Pages.blocks("java", PROGRAMS).stream().filter(body -> body.contains("executor.run("));
    }

    @ParameterizedTest
    @MethodSource("programsWithoutASession")
    void programsWithoutSessionRun(String body) throws Exception {
        invoke(body);
    }

    @ParameterizedTest
    @MethodSource("programsWithASandbox")
    void programsWithSandboxRun(String body) throws Exception {
        compile(source(body));
        assumeTrue(HAS_SANDBOX, "a sandbox is usable");
        invoke(body);
    }

    /** The samples run these programs: they contain the same lines. */
    @ParameterizedTest
    @MethodSource("programsOfContainers")
    void programsOfContainersCompile(String body) {
        compile(source(body));
    }

    /**
     * Returns a source file around a program: the imports and variables that the pages
     * presume.
     */
    private static String source(String body) {
        return """
                import dev.paddock.executor.*;
                import dev.paddock.executor.docker.*;
                import dev.paddock.executor.host.*;
                import dev.paddock.executor.policy.*;
                import dev.paddock.executor.process.*;
                import dev.paddock.executor.process.launch.*;
                import dev.paddock.executor.process.launch.HostEnvironment;
                import dev.paddock.executor.process.supervise.*;
                import dev.paddock.executor.remote.*;
                import dev.paddock.executor.remote.custom.*;
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
        try (ModelServer server = ModelServer.of(DemoProject.model())) {
            Map<String, String> environment = new HashMap<>(server.environment());
            environment.put("PATH", System.getenv("PATH"));
            environment.put("XDG_STATE_HOME", state.toString());
            assertThat(CallerEnvironment.with(environment, () -> fault(body))).isEmpty();
        }
        assertThat(directory.resolve("leap.sh")).content().contains("400");
    }

    private Optional<Throwable> fault(String body) {
        return Optional.ofNullable(catchThrowable(() -> invoke(body)));
    }

    private void compile(String source) {
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
        boolean isCompiled = COMPILER.getTask(messages, LIBRARIES, null, options, null, List.of(file))
                .call();
        assertThat(isCompiled).as("%s%n%s", messages, source).isTrue();
    }

    /** The program prints the readme's terminal session. */
    @Test
    void readmesSessionIsRealOne() throws Exception {
        McpBackend.BWRAP.require();
        Path home = Pages.makeHome(state);
        for (String block : Pages.blocks("console", List.of(README))) {
            StringBuilder shown = new StringBuilder();
            for (String line : block.lines().filter(one -> one.startsWith("$ ")).toList()) {
                ProcessBuilder shell = new ProcessBuilder(
                                "sh",
                                "-c",
                                line.substring(2)
                                                .replaceFirst(
                                                        "^paddock",
                                                        Cli.in(directory).shellWords()) + " 2>&1")
                        .directory(directory.toFile());
                shell.environment().put("XDG_STATE_HOME", state.toString());
                shell.environment().put("HOME", home.toString());
                shell.environment().put("LANG", "C");
                shown.append(line).append('\n').append(Cli.finish(shell.start()).stdout());
            }
            assertThat(shown.toString().replace(home.toString(), "/home/you")).isEqualTo(block);
        }
    }

    @Test
    void readmeIsShortAndItsLinksLeadSomewhere() throws IOException {
        assertThat(Files.readAllLines(README)).hasSizeLessThanOrEqualTo(MAX_README_LENGTH);
        List<Path> pages = new ArrayList<>(List.of(README));
        try (Stream<Path> docs = Files.list(DOCS)) {
            docs.filter(page -> page.toString().endsWith(".md")).forEach(pages::add);
        }
        for (Path page : pages) {
            Pattern.compile("\\]\\(([^)#:]+)(?:#[^)]*)?\\)")
                    .matcher(Files.readString(page))
                    .results()
                    .map((MatchResult found) -> found.group(1))
                    .forEach(link ->
                            assertThat(page.resolveSibling(link)).as("%s", page).exists());
        }
    }

    @Test
    void artifactsOfPagesAreThoseOfBillOfMaterials() throws IOException {
        String bom = Files.readString(Path.of("..", "bom", "pom.xml"));
        for (Path page : PROGRAMS) {
            Pattern.compile("paddock-(?:executor|harness)-[a-z0-9-]*[a-z0-9]")
                    .matcher(Files.readString(page))
                    .results()
                    .map(MatchResult::group)
                    .forEach(name -> assertThat(bom).contains("<artifactId>" + name + "</artifactId>"));
        }
    }

    @Test
    void documentsHaveExamples() throws IOException {
        assertThat(Pages.blocks("java", List.of(README))).hasSize(1);
        assertThat(Pages.blocks("console", List.of(README))).hasSize(1);
        assertThat(Pages.blocks("java", PROGRAMS)).hasSizeGreaterThan(8);
    }
}
