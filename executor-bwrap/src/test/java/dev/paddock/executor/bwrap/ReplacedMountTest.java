package dev.paddock.executor.bwrap;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.executor.CleanupReport;
import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.policy.SandboxPolicy;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests a mount that the kernel takes off because the host renames a file over it. */
class ReplacedMountTest {
    private static final String WORK = "/work";

    @TempDir
    Path directory;

    @Test
    void writeWhereMountCameOffIsUndone() throws Exception {
        Path worktree = Files.createDirectory(directory.toRealPath().resolve("tree"));
        host(worktree, "git", "init", "-q", ".");
        Path config = worktree.resolve(".git/config");
        String original = Files.readString(config);
        try (BwrapExecutor executor = BwrapExecutor.builder()
                .policy(SandboxPolicy.builder(new PathMapping(worktree, WORK)).build())
                .quarantine(directory.resolve("quarantine"))
                .build()) {
            ProcessLike process = executor.spawn(
                    "echo up; read -r x; printf '[core]\\n\\tfsmonitor = evil\\n' >> .git/config; cat .git/config",
                    SpawnOptions.builder(WORK).stdin(SpawnOptions.Stdin.PIPE).build());
            try (BufferedReader output =
                    new BufferedReader(new InputStreamReader(process.stdout(), StandardCharsets.UTF_8))) {
                assertThat(output.readLine()).isEqualTo("up");
                host(worktree, "git", "config", "user.nickname", "me");
                process.stdin().write('\n');
                process.stdin().close();

                assertThat(output.lines().collect(Collectors.joining("\n")))
                        .as("the mount has come off")
                        .contains("nickname", "fsmonitor");
            }
            CleanupReport report = process.onClosed().toCompletableFuture().get(30, TimeUnit.SECONDS);

            assertThat(report.notices()).singleElement().asString().contains(".git/config", "moved", "restored");
            assertThat(config).hasContent(original);
        }
    }

    private static void host(Path in, String... command) throws Exception {
        Process process = new ProcessBuilder(List.of(command))
                .directory(in.toFile())
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
    }
}
