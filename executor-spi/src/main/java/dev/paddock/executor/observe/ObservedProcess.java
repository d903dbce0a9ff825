package dev.paddock.executor.observe;

import dev.paddock.executor.CleanupReport;
import dev.paddock.executor.ExitStatus;
import dev.paddock.executor.ForwardingProcess;
import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.log.LateLogger;
import java.io.IOException;
import java.io.InputStream;
import java.lang.System.Logger.Level;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A command whose output is counted and whose end is reported to an observer.
 *
 * @since 0.1
 */
public final class ObservedProcess extends ForwardingProcess {
    private static final System.Logger LOG = LateLogger.of(ObservedProcess.class);

    /** How long the observer waits for the caller to read the rest of the output. */
    private static final long READ_MILLISECONDS = 1_000;

    private final CommandObserver observer;
    private final CountingStream out;
    private final CountingStream err;
    private final CompletableFuture<CleanupReport> closed = new CompletableFuture<>();

    private ObservedProcess(ProcessLike process, SpawnOptions options, CommandObserver observer) {
        super(process);
        this.observer = observer;
        out = new CountingStream(process.stdout());
        err = new CountingStream(process.stderr());
        if (options.stderr() == SpawnOptions.Stderr.MERGED) {
            err.end.complete(true);
        }
    }

    /**
     * Observes a command.
     *
     * @param process the command, whose streams nobody has read yet
     * @param options the options with which it was started
     * @param observer learns its output's size and its end
     * @return the process for the command's caller
     */
    public static ProcessLike of(ProcessLike process, SpawnOptions options, CommandObserver observer) {
        ObservedProcess observed = new ObservedProcess(process, options, observer);
        observed.follow();
        return observed;
    }

    private void follow() {
        CompletableFuture<ExitStatus> exit = super.onExit().toCompletableFuture();
        // Not the delegate's close, which may come before this object has reported the exit.
        CompletionStage<?> unused = super.onClosed().whenComplete((report, fault) -> {
            CommandEnd end = fault == null
                    ? new CommandEnd.Closed(
                            exit.join(), Optional.ofNullable(report).orElse(CleanupReport.NONE))
                    : new CommandEnd.Lost(fault);
            attempt(() -> observer.closed(end, outputRead()));
            close(report, fault);
        });
    }

    private void close(@Nullable CleanupReport report, @Nullable Throwable fault) {
        if (fault != null) {
            closed.completeExceptionally(fault);
        } else {
            closed.complete(Optional.ofNullable(report).orElse(CleanupReport.NONE));
        }
    }

    private static void attempt(Runnable call) {
        try {
            call.run();
        } catch (RuntimeException | Error broken) { // neither may keep the close or the output from the caller
            LOG.log(Level.WARNING, "An observer of a command has failed", broken);
        }
    }

    private CompletableFuture<OutputCount> outputRead() {
        return CompletableFuture.allOf(out.end, err.end)
                .completeOnTimeout(null, READ_MILLISECONDS, TimeUnit.MILLISECONDS)
                .thenApply(read -> new OutputCount(
                        out.count.get(), err.count.get(), out.end.getNow(false) && err.end.getNow(false)));
    }

    @Override
    public InputStream stdout() {
        return out;
    }

    @Override
    public InputStream stderr() {
        return err;
    }

    @Override
    public CompletionStage<CleanupReport> onClosed() {
        return closed;
    }

    /** Counts the bytes that are read. */
    private final class CountingStream extends InputStream {
        private final InputStream stream;
        private final AtomicLong count = new AtomicLong();

        /** Completes with true at the end of the stream, with false if it was closed earlier. */
        private final CompletableFuture<Boolean> end = new CompletableFuture<>();

        CountingStream(InputStream stream) {
            this.stream = stream;
        }

        @Override
        public int read() throws IOException {
            int value = stream.read();
            counted(value < 0 ? -1 : 1);
            return value;
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            return counted(stream.read(bytes, offset, length));
        }

        private int counted(int number) {
            if (number < 0) {
                end.complete(true);
            } else if (number > 0) {
                count.addAndGet(number);
                attempt(() -> observer.outputRead(number));
            }
            return number;
        }

        @Override
        public int available() throws IOException {
            return stream.available();
        }

        @Override
        public void close() throws IOException {
            end.complete(false);
            stream.close();
        }
    }
}
