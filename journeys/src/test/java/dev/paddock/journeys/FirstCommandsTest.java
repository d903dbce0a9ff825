package dev.paddock.journeys;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.executor.tck.jvm.OrdinaryUser;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The commands that people type first: each row of the page's table says what happens. */
@EnabledOnOs(OS.LINUX)
@Tag("full")
class FirstCommandsTest {
    private static final List<String> SANDBOXES = List.of("bwrap", "landlock", "docker");
    private static final int LANDLOCK = 1;

    /** What a cell may say: at most five words of a reason. */
    private static final Pattern CELL = Pattern.compile("works|undone afterwards|no:( \\S+){1,5}");

    /** How those commands begin that every sandbox runs: one of each kind. Of the rest bubblewrap runs all. */
    private static final List<String> EVERYWHERE = List.of(
            "git stash",
            "git config",
            "python3 -m venv .venv && .venv/bin/pip install --no-index",
            "npm test",
            "echo \"1 + 1\" | node",
            "curl -sS https:",
            "make",
            "node server.js",
            "go test",
            "cargo test",
            "java",
            "chromium",
            "strace",
            "vim",
            "ps",
            "docker");

    /** How those begin that depend on who types them: on owners, on other users' files, on terminals, on tracing. */
    private static final List<String> OF_THE_USER =
            List.of("git worktree", "git clone", "python3 -c", "tmux", "tar", "gdb", "touch");

    @TempDir
    private Path root;

    private Paddock paddock = Paddock.in(Path.of(""), Path.of(""));

    static Stream<Arguments> cells() throws Exception {
        return cells(command -> !NodeManagersTest.runs(command));
    }

    /**
     * Returns the cells of those rows whose command fits: the sandbox, the command, and what happens. Where another
     * sandbox does what bubblewrap does, it runs one command of each kind; but in Landlock, which denies sockets,
     * programs say in other words what they lack. The ordinary user runs one of each kind in bubblewrap, and what
     * depends on the user.
     */
    static Stream<Arguments> cells(Predicate<String> commands) throws Exception {
        List<Arguments> cells = new ArrayList<>();
        String section = page().split("## What people type first", -1)[1].split("\n## ", -1)[0];
        boolean again = OrdinaryUser.isAgain();
        int columns = again ? 1 : SANDBOXES.size();
        for (String line : section.lines().filter(row -> row.startsWith("| `")).toList()) {
            String[] row = line.split(" (?<!\\\\)\\| ?", -1);
            String command = row[0].substring(3, row[0].length() - 1).replace("\\|", "|");
            String first = row[1].strip();
            assertThat(List.of(row).subList(1, SANDBOXES.size() + 1))
                    .as("the cells of %s", command)
                    .allMatch(cell -> CELL.matcher(cell.strip()).matches());
            for (int column = 0; commands.test(command) && column < columns; column++) {
                String cell = row[column + 1].strip();
                boolean isHint = column == LANDLOCK && cell.startsWith("no: ");
                boolean isSame = again || (column > 0 && cell.equals(first));
                boolean isRepeated = EVERYWHERE.stream().anyMatch(command::startsWith)
                        || (again && OF_THE_USER.stream().anyMatch(command::startsWith));
                if (!isSame || isHint || isRepeated) {
                    cells.add(Arguments.of(SANDBOXES.get(column), command, cell));
                }
            }
        }
        return cells.stream();
    }

    /** Returns the text of {@code docs/toolchains.md}, a copy of which the ordinary user can read. */
    private static String page() throws IOException {
        try (InputStream page =
                Objects.requireNonNull(FirstCommandsTest.class.getResourceAsStream("/toolchains.md"), "the page")) {
            return new String(page.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @BeforeEach
    void create() throws Exception {
        Path real = root.toRealPath();
        Path project = Files.createDirectory(real.resolve("project"));
        paddock = Paddock.in(project, Files.createDirectory(real.resolve("home")));
        Files.writeString(project.resolve("package.json"), """
                {"name": "x", "version": "1.0.0", "scripts": {"test": "node -e 0"}, "dependencies": {"left-pad": "1"}}
                """);
        Files.writeString(project.resolve("hello.c"), "int main(void) { return 0; }\n");
        Files.writeString(project.resolve("Makefile"), "hello: hello.c\n\tcc -o hello hello.c\n");
        Files.writeString(project.resolve("test_it.py"), """
                import unittest
                class It(unittest.TestCase):
                    def test_it(self): pass
                """);
        Files.writeString(project.resolve("CMakeLists.txt"), """
                cmake_minimum_required(VERSION 3.10)
                project(hello C)
                add_executable(hello hello.c)
                """);
        Files.writeString(project.resolve("test_it.rb"), """
                require "minitest/autorun"
                class It < Minitest::Test
                  def test_it; assert true; end
                end
                """);
        Files.writeString(
                project.resolve("server.js"),
                "require('http').createServer((request, answer) => answer.end('served')).listen(3000)");
        createPackages(project);
        createGnuProject(Files.createDirectory(project.resolve("gnu")));
        createWheel(Files.createDirectory(project.resolve("wheels")));
        paddock.host("git init -q && git add . && git -c user.name=a -c user.email=a@example.org commit -qm x");
    }

    private static void createPackages(Path directory) throws Exception {
        Files.writeString(directory.resolve("go.mod"), "module example.org/x\n\ngo 1.19\n");
        Files.writeString(Files.createDirectory(directory.resolve("greet")).resolve("x_test.go"), """
                package greet

                import "testing"

                func TestIt(t *testing.T) {}
                """);
        Files.writeString(directory.resolve("pom.xml"), """
                <project><modelVersion>4.0.0</modelVersion><groupId>g</groupId><artifactId>a</artifactId>
                <version>1</version></project>
                """);
        Files.writeString(
                directory.resolve("Hello.java"), "class Hello { public static void main(String[] none) {} }\n");
        Files.writeString(directory.resolve("Cargo.toml"), """
                [package]
                name = "x"
                version = "1.0.0"
                [lib]
                path = "lib.rs"
                """);
        Files.writeString(directory.resolve("lib.rs"), "#[test]\nfn it() {}\n");
    }

    private static void createGnuProject(Path directory) throws Exception {
        Files.writeString(directory.resolve("configure.ac"), """
                AC_INIT([hello], [1])
                AM_INIT_AUTOMAKE([foreign])
                AC_PROG_CC
                AC_CONFIG_FILES([Makefile])
                AC_OUTPUT
                """);
        Files.writeString(directory.resolve("Makefile.am"), """
                bin_PROGRAMS = hello
                hello_SOURCES = hello.c
                TESTS = hello
                """);
        Files.writeString(directory.resolve("hello.c"), "int main(void) { return 0; }\n");
    }

    /** Makes the wheel of a Python package with the name greeting, and the version 1.0. */
    static void createWheel(Path directory) throws IOException {
        String about = "greeting-1.0.dist-info/";
        Map<String, String> files = Map.of(
                "greeting.py",
                "",
                about + "METADATA",
                "Metadata-Version: 2.1\nName: greeting\nVersion: 1.0\n",
                about + "WHEEL",
                "Wheel-Version: 1.0\nGenerator: x\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
                about + "RECORD",
                "greeting.py,,\n" + about + "METADATA,,\n" + about + "WHEEL,,\n" + about + "RECORD,,\n");
        try (ZipOutputStream wheel =
                new ZipOutputStream(Files.newOutputStream(directory.resolve("greeting-1.0-py3-none-any.whl")))) {
            for (Map.Entry<String, String> file : files.entrySet()) {
                wheel.putNextEntry(new ZipEntry(file.getKey()));
                wheel.write(file.getValue().getBytes(StandardCharsets.UTF_8));
            }
        }
    }

    @ParameterizedTest
    @MethodSource("cells")
    void doesWhatPageSays(String sandbox, String command, String cell) throws Exception {
        for (String part : command.split(" && | \\| ", -1)) {
            String program = part.strip().split(" ", -1)[0];
            if (program.matches("[a-z0-9]+")) {
                Programs.require(program);
            }
        }
        Paddock user = paddock;
        if (command.startsWith("cargo ")) {
            Programs.require("/usr/bin/cargo"); // that of rustup needs the home that has its toolchains
            user = paddock.env("PATH", Programs.SYSTEM);
        }
        Paddock.Result result =
                user.script(sandbox, command, sandbox.equals("docker") ? Engine.withPrograms() : new String[0]);
        assertHappened(cell, result);
    }

    /** Asserts that what a cell says has happened. */
    static void assertHappened(String cell, Paddock.Result result) {
        String said = result.stdout() + result.stderr();
        if (cell.startsWith("no: ")) {
            assertThat(result.exitCode()).as(said).isNotZero();
            // Maven ends with codes of colors, and without a new line.
            assertThat(result.stderr().replaceAll("\u001b\\[[0-9;]*m", "").lines())
                    .as(said)
                    .anyMatch(line -> line.startsWith("paddock: "));
        } else {
            assertThat(result.exitCode()).as(said).isZero();
            assertThat(cell).isIn("works", "undone afterwards");
            assertThat(said.contains("quarantine")).as(said).isEqualTo(cell.startsWith("undone"));
        }
    }
}
