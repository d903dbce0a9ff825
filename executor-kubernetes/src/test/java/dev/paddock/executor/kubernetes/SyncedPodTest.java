package dev.paddock.executor.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paddock.executor.CommandResult;
import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.Guarantee;
import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.RunOptions;
import dev.paddock.executor.SandboxLostException;
import dev.paddock.executor.SpawnException;
import dev.paddock.executor.SpawnOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests a worktree that is synchronized with a pod of the executor's own. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@NeedsCluster
class SyncedPodTest {
    private static final long LOSS_BOUND_SECONDS = 5;

    @TempDir
    Path directory;

    private Path worktree;

    @BeforeEach
    void create() throws Exception {
        worktree = Files.createDirectories(directory.resolve("worktree"));
    }

    private KubernetesExecutorBuilder options() {
        return TestCluster.synced(TestCluster.BUSYBOX, worktree)
                .quarantine(directory.resolve("quarantine"))
                .warmSlots(0);
    }

    private KubernetesExecutor executor() {
        return options().build();
    }

    private static CommandResult run(KubernetesExecutor executor, String command) throws Exception {
        return executor.run(command, RunOptions.in("/work"));
    }

    private static String notices(CommandResult result) {
        return String.join("\n", result.cleanup().orElseThrow().notices());
    }

    private void write(String name, String text) throws Exception {
        Path file = worktree.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    private List<String> files() throws Exception {
        try (Stream<Path> paths = Files.walk(worktree)) {
            return paths.filter(Files::isRegularFile)
                    .map(path -> worktree.relativize(path).toString())
                    .sorted()
                    .toList();
        }
    }

    /** A build by modification times: what is newer than its source is not made again. */
    private static final String BUILD = """
            mkdir -p out
            for source in src/*.txt; do
                target=out/$(basename "$source" .txt).made
                [ "$target" -nt "$source" ] || { tr a-z A-Z <"$source" >"$target"; echo "made $target"; }
            done
            cat out/*.made >all
            """;

    @Test
    void worktreeIsBuiltInPod() throws Exception {
        write("src/a.txt", "first\n");
        write("src/b.txt", "second\n");
        try (KubernetesExecutor executor = executor()) {
            assertThat(executor.guarantees()).contains(Guarantee.PROTECTED_PATHS);
            assertThat(run(executor, BUILD).outText()).isEqualTo("made out/a.made\nmade out/b.made\n");
            assertThat(worktree.resolve("all")).content().isEqualTo("FIRST\nSECOND\n");
            assertThat(run(executor, BUILD).outText())
                    .as("a build without a change")
                    .isEmpty();
            write("src/b.txt", "changed here\n");
            // Files arrive there with modification times of whole seconds.
            FileTime made = Files.getLastModifiedTime(worktree.resolve("out/b.made"));
            Files.setLastModifiedTime(
                    worktree.resolve("src/b.txt"),
                    FileTime.from(made.toInstant().plusSeconds(1)));
            assertThat(run(executor, BUILD).outText()).isEqualTo("made out/b.made\n");
            assertThat(worktree.resolve("all")).content().isEqualTo("FIRST\nCHANGED HERE\n");
            Files.delete(worktree.resolve("src/a.txt"));
            run(executor, "rm -r out; " + BUILD);
            assertThat(files()).containsExactly("all", "out/b.made", "src/b.txt");
        }
        assertThat(files()).as("after disposal").containsExactly("all", "out/b.made", "src/b.txt");
    }

    /** The pod is lost while a command runs, and its successor while none does. */
    @Tag("full")
    @Test
    void changesThatAreLostWithPodAreReportedAndAnotherBeginsWithHostsFiles() throws Exception {
        write("kept", "here\n");
        write("directory/file", "here, too\n");
        try (KubernetesExecutor executor = executor()) {
            run(executor, "echo there >made");
            List<String> before = files();
            ProcessLike command =
                    executor.spawn("rm kept; echo lost >lost; echo up; sleep 100", SpawnOptions.in("/work"));
            assertThat(command.stdout().readNBytes(3)).asString().isEqualTo("up\n");
            TestCluster.delete(executor.pod().orElseThrow());
            assertThatThrownBy(() -> command.onClosed().toCompletableFuture().get(LOSS_BOUND_SECONDS, TimeUnit.SECONDS))
                    .isInstanceOf(ExecutionException.class)
                    .hasCauseInstanceOf(SandboxLostException.class);
            CommandResult result = run(executor, "cat kept directory/file made; ls");
            assertThat(result.outText()).isEqualTo("here\nhere, too\nthere\ndirectory\nkept\nmade\n");
            assertThat(notices(result)).contains("were not fetched before it was lost");
            assertThat(files()).isEqualTo(before);
            assertThat(notices(run(executor, "true"))).as("the next report").isEmpty();

            String second = executor.pod().orElseThrow();
            TestCluster.delete(second);
            CommandResult next = Awaitility.await("another pod serves commands")
                    .atMost(Duration.ofSeconds(60))
                    .ignoreExceptionsInstanceOf(ExecutorException.class)
                    .until(
                            () -> run(executor, "cat kept made"),
                            any -> !executor.pod().orElseThrow().equals(second));
            assertThat(next.outText()).isEqualTo("here\nthere\n");
            assertThat(files()).isEqualTo(before);
            assertThat(notices(next)).as("what was lost").isEmpty();
        }
    }

    @Tag("full")
    @Test
    void disposalFetchesWhatEndedCommandHasWritten() throws Exception {
        String pod;
        try (KubernetesExecutor executor = executor()) {
            ProcessLike command = executor.spawn("echo late >late; echo up; sleep 100", SpawnOptions.in("/work"));
            assertThat(command.stdout().readNBytes(3)).asString().isEqualTo("up\n");
            pod = executor.pod().orElseThrow();
        }
        assertThat(worktree.resolve("late")).content().isEqualTo("late\n");
        assertThat(TestCluster.managedPods()).doesNotContain(pod);
    }

    @Tag("full")
    @Test
    void protectedPathsDoNotComeBack() throws Exception {
        assertThat(new ProcessBuilder("git", "init", "-q", worktree.toString())
                        .inheritIO()
                        .start()
                        .waitFor())
                .isZero();
        try (KubernetesExecutor executor = executor()) {
            CommandResult result = run(
                    executor,
                    "mkfifo .npmrc; echo plant >.git/hooks/pre-commit; mkdir .vscode; echo plant >.vscode/tasks.json;"
                            + " echo work >file");
            assertThat(worktree.resolve("file")).content().isEqualTo("work\n");
            assertThat(worktree.resolve(".git/hooks/pre-commit")).doesNotExist();
            assertThat(worktree.resolve(".vscode")).doesNotExist();
            assertThat(worktree.resolve(".npmrc")).as("a pipe for settings").doesNotExist();
            assertThat(notices(result)).contains(".git/hooks/pre-commit", ".vscode/tasks.json");
            assertThat(run(executor, "ls -d .vscode .git/hooks/pre-commit").outText())
                    .as("what is left there")
                    .isEmpty();
        }
    }

    /** The push finds a conflict; then the command cannot be started. */
    @Tag("full")
    @Test
    void noticesOfPushReachNextReport() throws Exception {
        write("file", "first\n");
        try (KubernetesExecutor executor = executor()) {
            ProcessLike writer = executor.spawn(
                    "read x; echo there >file; echo up; sleep 100",
                    SpawnOptions.builder("/work").stdin(SpawnOptions.Stdin.PIPE).build());
            write("file", "changed here\n");
            writer.stdin().write('\n');
            assertThat(writer.stdout().readNBytes(3)).asString().isEqualTo("up\n");
            assertThatThrownBy(() -> executor.spawn("true", SpawnOptions.in("/nonexistent")))
                    .isInstanceOf(SpawnException.class);
            assertThat(notices(run(executor, "true"))).contains("'file' was changed here and by a command");
            assertThat(worktree.resolve("file")).content().isEqualTo("changed here\n");
        }
    }

    @Tag("full")
    @Test
    void withoutWorktreeNothingIsCopied() throws Exception {
        write("file", "here\n");
        try (KubernetesExecutor executor = options().withoutWorktree().build()) {
            assertThat(run(executor, "echo there >made; ls").outText()).isEqualTo("made\n");
            assertThat(executor.worktree()).isEmpty();
        }
        assertThat(files()).containsExactly("file");
    }

    @Test
    void optionsThatExcludeEachOtherAreRefused() {
        assertThatThrownBy(() -> options().remoteDirectory("/else").build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("/else");
        assertThatThrownBy(
                        () -> options().withoutWorktree().worktreeHostPath(".").build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("volume");
    }
}
