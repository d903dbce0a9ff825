package dev.paddock.cli.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.cli.Cli;
import dev.paddock.cli.ShellLines;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Runs the lines of the auditor's walk in docs/audit.md. */
@Tag("full")
@EnabledOnOs(OS.LINUX)
class AuditWalkTest {
    private static final Path PAGE = Path.of("..", "docs", "audit.md");

    @TempDir
    private Path directory;

    private Path worktree;
    private Path programs;

    @BeforeEach
    void createPrograms() throws IOException {
        directory = directory.toRealPath();
        worktree = Files.createDirectory(directory.resolve("tree"));
        programs = Files.createDirectory(directory.resolve("bin"));
        program(
                "sqlite3",
                "exec '" + Path.of(System.getProperty("java.home"), "bin", "java")
                        + "' -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -cp '"
                        + System.getProperty("java.class.path") + "' " + SqliteShell.class.getName() + " \"$@\"");
    }

    private void program(String name, String line) throws IOException {
        Path file = Files.writeString(programs.resolve(name), "#!/bin/sh\n" + line + "\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private static String block(String language) throws IOException {
        Matcher block =
                Pattern.compile("(?ms)^```" + language + "\\n(.*?)^```$").matcher(Files.readString(PAGE));
        assertThat(block.find()).isTrue();
        return block.group(1);
    }

    @Test
    void walkFindsTamperedRecord() throws Exception {
        Cli cli = Cli.in(worktree)
                .env("PATH", programs + ":" + System.getenv("PATH"))
                .env("XDG_STATE_HOME", directory.resolve("state").toString());
        Cli.Result result = ShellLines.in(directory.resolve("lines")).run(cli, "set -e\n" + block("sh"));
        assertThat(result.exitCode()).as(result.toString()).isZero();
        assertThat(result.stdout()).endsWith(block("text"));
        assertThat(Files.readString(worktree.resolve("head")))
                .startsWith("whole: 2 records\nhead 2:")
                .hasLineCount(2);
        assertThat(Files.readAllLines(worktree.resolve("export.jsonl")))
                .hasSize(2)
                .first()
                .asString()
                .contains("\"command\":\"'ls' '-l'\"");
        assertThat(Files.readAllLines(worktree.resolve("export.csv")))
                .hasSize(3)
                .last()
                .asString()
                .contains("'touch' 'result'");
    }
}
