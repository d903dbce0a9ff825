package dev.paddock.executor.observe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.executor.CleanupReport;
import dev.paddock.executor.ExitStatus;
import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.SpawnOptions;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests what an observer is told of a command, and that it cannot change the command for its caller. */
@DisabledOnOs(OS.WINDOWS)
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ObservedProcessTest {
    @TempDir
    private Path directory;

    private ProcessLike observed(String command, SpawnOptions.Stderr stderr, CommandObserver observer) {
        SpawnOptions options =
                SpawnOptions.builder(directory.toString()).stderr(stderr).build();
        ProcessLike process = ProcessLike.start(new ProcessBuilder("sh", "-c", "--", command), options);
        return ObservedProcess.of(process, options, observer);
    }

    private static CommandObserver counting(CompletableFuture<OutputCount> counted) {
        return (end, output) -> {
            var unused = output.thenAccept(counted::complete);
        };
    }

    /** Throws at each call. */
    private static final class Failing implements CommandObserver {
        private final boolean isError;
        private final AtomicInteger closes = new AtomicInteger();

        Failing(boolean isError) {
            this.isError = isError;
        }

        @Override
        public void outputRead(int bytes) {
            fail();
        }

        @Override
        public void closed(CommandEnd end, CompletionStage<OutputCount> output) {
            closes.incrementAndGet();
            fail();
        }

        private void fail() {
            if (isError) {
                throw new NoClassDefFoundError("of the observer");
            }
            throw new IllegalStateException("of the observer");
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void observerThatThrowsKeepsNothingFromCaller(boolean isError) throws Exception {
        Failing observer = new Failing(isError);
        ProcessLike process = observed("echo out; exit 3", SpawnOptions.Stderr.SEPARATE, observer);
        assertThat(process.stdout().readAllBytes()).isEqualTo("out\n".getBytes(StandardCharsets.UTF_8));
        assertThat(process.onClosed().toCompletableFuture().get(30, TimeUnit.SECONDS))
                .isEqualTo(CleanupReport.NONE);
        assertThat(process.onExit().toCompletableFuture().join()).isEqualTo(new ExitStatus.Exited(3));
        assertThat(observer.closes).hasValue(1);
    }

    @Test
    void mergedOutputIsCompleteOnceItIsRead() throws Exception {
        CompletableFuture<OutputCount> counted = new CompletableFuture<>();
        ProcessLike process = observed("echo out; echo err >&2", SpawnOptions.Stderr.MERGED, counting(counted));
        assertThat(process.stdout().readAllBytes()).hasSize(8);
        assertThat(counted.get(30, TimeUnit.SECONDS)).isEqualTo(new OutputCount(8, 0, true));
    }

    @Test
    void outputThatIsNotReadToItsEndIsIncomplete() throws Exception {
        CompletableFuture<OutputCount> unread = new CompletableFuture<>();
        ProcessLike ignored = observed("echo out", SpawnOptions.Stderr.SEPARATE, counting(unread));
        CompletableFuture<OutputCount> closedEarly = new CompletableFuture<>();
        ProcessLike process = observed("echo out", SpawnOptions.Stderr.MERGED, counting(closedEarly));
        assertThat(process.stdout().read()).isEqualTo('o');
        process.stdout().close();
        assertThat(closedEarly.get(30, TimeUnit.SECONDS)).isEqualTo(new OutputCount(1, 0, false));
        assertThat(unread.get(30, TimeUnit.SECONDS)).isEqualTo(new OutputCount(0, 0, false));
        assertThat(ignored.onClosed().toCompletableFuture()).isCompleted();
    }
}
