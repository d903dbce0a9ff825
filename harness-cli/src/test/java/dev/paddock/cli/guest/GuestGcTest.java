package dev.paddock.cli.guest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.cli.ClearsMachine;
import dev.paddock.cli.Cli;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** {@code paddock gc} after a {@code paddock guest run} that was killed. */
@EnabledOnOs(OS.LINUX)
@ClearsMachine
class GuestGcTest {
    @TempDir
    private Path directory;

    private Path worktree = Path.of("/");
    private Path temporary = Path.of("/");

    @BeforeEach
    void make() throws Exception {
        worktree = Files.createDirectory(directory.toRealPath().resolve("tree"));
        temporary = Files.createDirectory(directory.toRealPath().resolve("temporary"));
        Files.writeString(
                worktree.resolve("wait.js"), "export const run = () => new Promise((d) => setTimeout(d, 9e5));");
    }

    private Cli cli() {
        return Cli.in(worktree)
                .env("XDG_STATE_HOME", directory.resolve("state").toString())
                .jvm("-Djava.io.tmpdir=" + temporary);
    }

    private Process start() throws Exception {
        return cli().start("guest", "run", "wait.js", "--shadow", "--timeout", "600", "--executor", "bwrap");
    }

    private List<Path> left() {
        try (Stream<Path> all = Files.list(temporary)) {
            return all.filter(path -> path.getFileName().toString().contains("-owner-"))
                    .sorted()
                    .toList();
        } catch (IOException fault) {
            throw new UncheckedIOException(fault);
        }
    }

    @Test
    void gcRemovesDirectoriesOfKilledRunAndNotThoseOfLivingOne() throws Exception {
        Process living = start();
        try {
            Awaitility.await("the first run has made its directories")
                    .atMost(Duration.ofSeconds(60))
                    .until(() -> left().size() == 2);
            List<Path> ofLiving = left();
            Process killed = start();
            Awaitility.await("the second run has made its directories")
                    .atMost(Duration.ofSeconds(60))
                    .until(() -> left().size() == 4);
            killed.destroyForcibly().onExit().join();
            assertThat(left()).hasSize(4);

            Cli.Result named = cli().run("gc", "--dry-run");
            assertThat(named.stdout()).contains("temporary directories: would remove the directory " + temporary);
            assertThat(left()).hasSize(4);

            Cli.Result swept = cli().run("gc");
            assertThat(swept.exitCode()).as(swept.stderr()).isZero();
            assertThat(swept.stdout()).contains("temporary directories: removed the directory " + temporary);
            assertThat(left()).isEqualTo(ofLiving);
        } finally {
            living.destroyForcibly().onExit().join();
        }
        assertThat(cli().run("gc").exitCode()).isZero();
        assertThat(left()).isEmpty();
    }
}
