package dev.paddock.samples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Compiles and runs a program that does what most programs do, as one on the class path and as a module. */
@DisabledOnOs(OS.WINDOWS)
class UsualTasksTest {
    private static final Path SOURCE = Path.of("src", "test", "resources", "tasks", "UsualTasks.java");
    private static final int MAX_LINES = 3;

    private static final String MODULE_INFO = """
            module tasks {
                requires dev.paddock.executor.host;
                requires dev.paddock.harness;
            }
            """;

    private static final String PRINTED = """
            output out
            exitCode 3
            timeout late
            lines [one, two]
            input in
            variable set
            file kept
            abort Aborted
            attach true
            session kept
            """;

    /** What such a program takes of the path of the tests: nothing that an automatic module could conflict with. */
    private static final Pattern NEEDED =
            Pattern.compile(".*/(?:(?:paddock-)?(?:executor-(?:spi|os|process|network|worktree|sandbox|host)|"
                    + "harness-(?:core|tools|files))(?:/target/classes|-[0-9][^/]*\\.jar)|"
                    + "(?:jffi|jnr|asm|commons-exec|jackson|juniversalchardet|java-diff-utils|jsoup|snakeyaml-engine|"
                    + "jspecify)[^/]*\\.jar)");

    @TempDir
    private Path directory;

    private Path sources;
    private Path classes;
    private Path worktree;

    @BeforeEach
    void copySource() throws Exception {
        sources = Files.createDirectory(directory.resolve("sources"));
        classes = Files.createDirectory(directory.resolve("classes"));
        worktree = Files.createDirectory(directory.resolve("worktree"));
        Files.createDirectory(sources.resolve("tasks"));
        Files.copy(SOURCE, sources.resolve("tasks/UsualTasks.java"));
    }

    private static String path() {
        return String.join(
                File.pathSeparator,
                Stream.of("java.class.path", "jdk.module.path")
                        .flatMap(name -> Stream.of(System.getProperty(name, "").split(File.pathSeparator)))
                        .filter(entry -> NEEDED.matcher(entry).matches())
                        .toList());
    }

    private void compile(String... options) throws Exception {
        List<String> words = new ArrayList<>(List.of(options));
        words.addAll(List.of("-proc:none", "-d", classes.toString()));
        try (Stream<Path> all = Files.walk(sources)) {
            all.map(Path::toString).filter(file -> file.endsWith(".java")).forEach(words::add);
        }
        StringWriter messages = new StringWriter();
        PrintWriter printer = new PrintWriter(messages);
        int code = ToolProvider.findFirst("javac").orElseThrow().run(printer, printer, words.toArray(String[]::new));
        assertThat(code).as(messages.toString()).isZero();
    }

    private String run(String... options) throws Exception {
        List<String> words = new ArrayList<>();
        words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        words.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
        words.addAll(List.of(options));
        words.add(worktree.toString());
        ProcessBuilder builder = new ProcessBuilder(words).redirectErrorStream(true);
        builder.environment().put("XDG_STATE_HOME", directory.resolve("state").toString());
        Process process = builder.start();
        try {
            return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } finally {
            process.destroyForcibly();
        }
    }

    @Test
    void programOnClassPathDoesUsualTasks() throws Exception {
        compile("-cp", path());
        assertThat(run(
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        classes + File.pathSeparator + path(),
                        "tasks.UsualTasks"))
                .isEqualTo(PRINTED + "false\n");
    }

    @Test
    void programThatIsModuleDoesUsualTasks() throws Exception {
        Files.writeString(sources.resolve("module-info.java"), MODULE_INFO);
        compile("--module-path", path());
        assertThat(run(
                        "--enable-native-access=org.jnrproject.jffi",
                        "--module-path",
                        classes + File.pathSeparator + path(),
                        "-m",
                        "tasks/tasks.UsualTasks"))
                .isEqualTo(PRINTED + "true\n");
    }

    @Test
    void eachTaskTakesLineOrTwo() throws Exception {
        Matcher tasks = Pattern.compile("(?m)^    static [^\\n]* (\\w+)\\([^\\n]*\\{\\n((?:        .*\\n)+)    }$")
                .matcher(Files.readString(SOURCE));
        int found = 0;
        while (tasks.find()) {
            found++;
            assertThat(tasks.group(2).lines().count()).as(tasks.group(1)).isLessThan(MAX_LINES);
        }
        assertThat(found).isEqualTo(10);
    }
}
