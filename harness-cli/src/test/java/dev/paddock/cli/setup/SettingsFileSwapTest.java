package dev.paddock.cli.setup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.paddock.cli.setup.document.SettingsRefusedException;
import dev.paddock.executor.os.file.Kernel;
import dev.paddock.executor.path.PathBytes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Tests settings files of a project in which a command exchanges entries meanwhile. */
@EnabledOnOs(OS.LINUX)
class SettingsFileSwapTest {
    private static final int CALLS = 600;

    @TempDir
    Path directory;

    private Path project = Path.of("/");
    private Path outside = Path.of("/");
    private volatile boolean stop;

    @BeforeEach
    void create() throws IOException {
        assumeTrue(Kernel.isAvailable(), "nothing can be exchanged here");
        project = Files.createDirectory(directory.toRealPath().resolve("project"));
        Files.createDirectory(project.resolve(".cursor"));
        outside = Files.createDirectory(directory.resolve("outside"));
    }

    @Test
    void nothingIsReadOrWrittenBehindExchangedDirectory() throws Exception {
        Files.writeString(outside.resolve("mcp.json"), "secret");
        Files.createSymbolicLink(project.resolve("link"), outside);
        Path file = project.resolve(".cursor/mcp.json");

        exchanging(".cursor", "link", () -> {
            SettingsFile read = SettingsFile.read(file, project);
            assertThat(read.text()).isNotEqualTo("secret");
            read.write(read.text().equals("{}") ? "{ }" : "{}");
            return true;
        });

        assertThat(outside.resolve("mcp.json")).hasContent("secret");
        try (var left = Files.list(outside)) {
            assertThat(left).hasSize(1);
        }
    }

    @Test
    void pipeExchangedForFileBlocksNothing() throws Exception {
        Path file = Files.writeString(project.resolve("settings.json"), "{}");
        assertThat(new ProcessBuilder("mkfifo", project.resolve("pipe").toString())
                        .inheritIO()
                        .start()
                        .waitFor())
                .isZero();

        exchanging("settings.json", "pipe", () -> {
            SettingsFile read = SettingsFile.read(file, project);
            read.write(read.text());
            return true;
        });
    }

    @Test
    void noDirectoryIsRemovedBehindExchangedOne() throws Exception {
        Path empty = project.resolve(".cursor/empty");
        SettingsFile file = SettingsFile.read(empty.resolve("settings.json"), project);
        Files.createDirectory(empty);
        file.removeIfEmpty(empty);
        assertThat(empty).as("the control").doesNotExist();
        Files.createDirectory(outside.resolve("empty"));
        Files.createSymbolicLink(project.resolve("link"), outside);

        exchanging(".cursor", "link", () -> {
            file.removeIfEmpty(empty);
            return true;
        });

        assertThat(outside.resolve("empty")).isDirectory();
    }

    @Test
    void noFileOrLinkIsRemovedInPlaceOfDirectory() throws Exception {
        Path there = Files.createFile(project.resolve(".cursor/file"));
        Path link = Files.createSymbolicLink(project.resolve(".cursor/link"), outside);
        SettingsFile file = SettingsFile.read(project.resolve(".cursor/settings.json"), project);

        file.removeIfEmpty(there);
        file.removeIfEmpty(link);

        assertThat(there).exists();
        assertThat(link).isSymbolicLink();
    }

    /** Makes at least so many calls, and more until one succeeds: the exchanging thread may stand still. */
    private void exchanging(String one, String another, BooleanSupplier call) {
        CompletableFuture<Integer> exchanges = CompletableFuture.supplyAsync(() -> exchange(one, another));
        try {
            assertTimeoutPreemptively(Duration.ofSeconds(60), () -> {
                int successes = 0;
                for (int calls = 0; calls < CALLS || successes == 0; calls++) {
                    successes += succeeds(call) ? 1 : 0;
                }
            });
        } finally {
            stop = true;
        }
        assertThat(exchanges.join()).isPositive();
    }

    private static boolean succeeds(BooleanSupplier call) {
        try {
            return call.getAsBoolean();
        } catch (SettingsRefusedException changed) {
            return false;
        }
    }

    private int exchange(String one, String another) {
        try {
            Kernel kernel = Kernel.create();
            int at = kernel.openDirectory(Kernel.NO_DIRECTORY, PathBytes.of(project));
            int exchanges = 0;
            while (!stop) {
                kernel.exchange(at, one, another);
                exchanges++;
            }
            kernel.close(at);
            return exchanges;
        } catch (IOException fault) {
            throw new AssertionError(fault);
        }
    }
}
