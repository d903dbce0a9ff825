package dev.paddock.harness.audit;

import dev.paddock.executor.CleanupReport;
import dev.paddock.executor.ExitStatus;
import dev.paddock.executor.ForwardingProcess;
import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.SpawnOptions;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A command whose end is recorded before it is reported as closed. */
final class AuditedProcess extends ForwardingProcess {
    /** How long the record waits for the caller to read the rest of the output, to count it. */
    private static final long READ_MILLISECONDS = 250;

    private final CountingStream out;
    private final CountingStream err;
    private final CompletableFuture<CleanupReport> closed = new CompletableFuture<>();

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
        return out.used();
    }

    @Override
    public InputStream stderr() {
        return err.used();
    }

    @Override
    public CompletionStage<CleanupReport> onClosed() {
        return closed;
    }

    /** Records the command's end on a thread of its own; returns the stage of {@link #onClosed}. */
    CompletableFuture<CleanupReport> follow(CommandRecords.Ending ending, AuditSink sink, Executor writer) {
        CompletableFuture<ExitStatus> exit = super.onExit().toCompletableFuture();
        var unused = super.onClosed().whenComplete((report, fault) -> {
            ending.stop();
            var unusedToo = outputRead()
                    .whenCompleteAsync(
                            (read, never) -> record(ending, sink, exit, Optional.ofNullable(report), fault), writer);
        });
        return closed;
    }

    /**
     * Completes when the caller has read or closed the streams that it uses, or soon: it may stop.
     */
    private CompletableFuture<Void> outputRead() {
        CompletableFuture<?>[] ends = Stream.of(out, err)
                .filter(CountingStream::isUsed)
                .map(CountingStream::end)
                .toArray(CompletableFuture<?>[]::new);
        return CompletableFuture.allOf(ends).completeOnTimeout(null, READ_MILLISECONDS, TimeUnit.MILLISECONDS);
    }

    private void record(
            CommandRecords.Ending ending,
            AuditSink sink,
            CompletableFuture<ExitStatus> exit,
            Optional<CleanupReport> report,
            @Nullable Throwable fault) {
        boolean complete = Stream.of(out, err).allMatch(stream -> stream.end().getNow(false));
        CommandRecords.Output output = new CommandRecords.Output(out.count(), err.count(), complete);
        Optional<String> notice = Optional.empty();
        try {
            notice = EndReport.write(
                    sink,
                    fault != null
                            ? ending.lost(output, fault)
                            : ending.closed(output, exit.join(), report.orElse(CleanupReport.NONE)));
        } finally {
            if (fault != null) {
                closed.completeExceptionally(fault);
            } else {
                closed.complete(with(notice, report.orElse(CleanupReport.NONE)));
            }
        }
    }

    private static CleanupReport with(Optional<String> notice, CleanupReport report) {
        if (notice.isEmpty()) {
            return report;
        }
        List<String> notices = new ArrayList<>(report.notices());
        notices.add(notice.get());
        return new CleanupReport(report.leftoversEnded(), notices);
    }
}
