package dev.paddock.harness.audit;

import dev.paddock.executor.CleanupReport;
import dev.paddock.executor.ExitStatus;
import dev.paddock.executor.ForwardingProcess;
import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.SpawnOptions;
import java.io.InputStream;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A command whose output is counted and whose end is recorded. */
final class AuditedProcess extends ForwardingProcess {
    /** How long the record waits for the caller to read the rest of the output, to count it. */
    private static final long READ_MILLISECONDS = 1_000;

    private final CountingStream out;
    private final CountingStream err;

    AuditedProcess(ProcessLike delegate, SpawnOptions options) {
        super(delegate);
        out = new CountingStream(delegate.stdout());
        err = new CountingStream(delegate.stderr());
        if (options.stderr() == SpawnOptions.Stderr.MERGED) {
            err.end().complete(true);
        }
    }

    @Override
    public InputStream stdout() {
        return out;
    }

    @Override
    public InputStream stderr() {
        return err;
    }

    /**
     * Hands the record of the command's end over, after the command has closed.
     *
     * @param records receives the record
     * @param writer runs what may take time
     * @return completes when the record has been handed over
     */
    CompletableFuture<Void> follow(
            CommandRecords.Launch launch, Consumer<Supplier<AuditRecord>> records, Executor writer) {
        CompletableFuture<ExitStatus> exit = onExit().toCompletableFuture();
        CompletableFuture<Void> done = new CompletableFuture<>();
        var unused = onClosed().whenComplete((report, fault) -> {
            launch.stop();
            var unusedToo = outputRead()
                    .whenCompleteAsync(
                            (read, never) -> {
                                try {
                                    records.accept(() -> record(launch, exit, Optional.ofNullable(report), fault));
                                } finally {
                                    done.complete(null);
                                }
                            },
                            writer);
        });
        return done;
    }

    /**
     * Completes when the caller has read or closed both streams, or after a bound, since it may never read.
     */
    private CompletableFuture<Void> outputRead() {
        return CompletableFuture.allOf(out.end(), err.end())
                .completeOnTimeout(null, READ_MILLISECONDS, TimeUnit.MILLISECONDS);
    }

    private AuditRecord record(
            CommandRecords.Launch launch,
            CompletableFuture<ExitStatus> exit,
            Optional<CleanupReport> report,
            @Nullable Throwable fault) {
        boolean complete = Stream.of(out, err).allMatch(stream -> stream.end().getNow(false));
        CommandRecords.Output output = new CommandRecords.Output(out.count(), err.count(), complete);
        return fault != null
                ? launch.lost(output, fault)
                : launch.closed(output, exit.join(), report.orElse(CleanupReport.NONE));
    }
}
