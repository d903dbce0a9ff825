package dev.paddock.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.paddock.executor.AbortController;
import dev.paddock.executor.AbortSignal;
import dev.paddock.executor.CleanupReport;
import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.ForwardingExecutor;
import dev.paddock.executor.ForwardingProcess;
import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.harness.tools.ToolResult;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Tests results of commands whose changes to files reach the worktree after their end. */
class FetchedFilesTest extends SessionTest {
    private final CompletableFuture<Void> fetched = new CompletableFuture<>();

    private Toolbox toolbox() {
        return Toolbox.builder()
                .cwd(worktree)
                .executor(new Copying(host))
                .sessionDirectory(home.resolve("toolbox"))
                .build();
    }

    /** Fetches a file after each command that is named "change". */
    private final class Copying extends ForwardingExecutor {
        Copying(CommandExecutor delegate) {
            super(delegate);
        }

        @Override
        public boolean copiesFiles() {
            return true;
        }

        @Override
        public Optional<String> awaitedFiles() {
            return Optional.of("'made' and 3 more");
        }

        @Override
        public ProcessLike spawn(String command, SpawnOptions options) {
            ProcessLike process = super.spawn(command, options);
            return command.equals("true # change") ? new Fetching(process) : process;
        }
    }

    private final class Fetching extends ForwardingProcess {
        Fetching(ProcessLike delegate) {
            super(delegate);
        }

        @Override
        public CompletionStage<CleanupReport> onClosed() {
            return super.onClosed().thenCombine(fetched, (report, nothing) -> report);
        }
    }

    private void fetch() {
        try {
            Files.writeString(worktree.resolve("made"), "fetched\n");
        } catch (IOException fault) {
            throw new UncheckedIOException(fault);
        }
        fetched.complete(null);
    }

    private static ToolResult change(Toolbox toolbox, int timeout) {
        return toolbox.call(
                "bash", "{\"command\": \"true # change\", \"timeout\": " + timeout + "}", AbortSignal.never());
    }

    @Test
    void resultWaitsForFiles() {
        try (Toolbox toolbox = toolbox()) {
            // longer than the wait for a cleanup without files
            CompletableFuture.delayedExecutor(2500, TimeUnit.MILLISECONDS).execute(this::fetch);

            ToolResult result = change(toolbox, 60);

            assertThat(worktree.resolve("made")).exists();
            assertThat(result.text()).doesNotContain("still being fetched");
        }
    }

    @Test
    void resultWithoutFilesSaysSoAndFileToolsWaitForThem() {
        try (Toolbox toolbox = toolbox()) {
            assertThat(change(toolbox, 1).text())
                    .contains("still being fetched: 'made' and 3 more are not in the worktree yet");

            AbortController impatient = new AbortController();
            CompletableFuture<ToolResult> aborted = read(toolbox, impatient.signal());
            awaitRead();
            impatient.abort("enough");
            assertThat(aborted.join().text()).contains("aborted: enough");

            CompletableFuture<ToolResult> patient = read(toolbox, AbortSignal.never());
            awaitRead();
            fetch();
            assertThat(patient.join().text()).contains("fetched");
        }
    }

    private static void awaitRead() {
        await("a call of read")
                .until(() -> Thread.getAllStackTraces().keySet().stream()
                        .anyMatch(thread -> thread.getName().startsWith("paddock-read")));
    }

    private static CompletableFuture<ToolResult> read(Toolbox toolbox, AbortSignal signal) {
        return CompletableFuture.supplyAsync(() -> toolbox.call("read", "{\"path\": \"made\"}", signal));
    }
}
