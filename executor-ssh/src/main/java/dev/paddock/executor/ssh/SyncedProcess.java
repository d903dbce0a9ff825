package dev.paddock.executor.ssh;

import dev.paddock.executor.CleanupReport;
import dev.paddock.executor.ForwardingProcess;
import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.process.io.DaemonThreads;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A command whose changes to files are fetched before it closes. */
final class SyncedProcess extends ForwardingProcess {
    private final CompletableFuture<CleanupReport> closed = new CompletableFuture<>();

    private SyncedProcess(ProcessLike delegate) {
        super(delegate);
    }

    /**
     * Wraps a command.
     *
     * @param early notices of the push
     * @param finish fetches the changes, and returns notices; throws nothing
     */
    static SyncedProcess of(ProcessLike command, List<String> early, Supplier<List<String>> finish) {
        SyncedProcess process = new SyncedProcess(command);
        var unused = command.onClosed()
                .whenComplete((report, fault) -> DaemonThreads.virtual("paddock-ssh-pull")
                        .start(() -> process.close(report, fault, early, finish)));
        return process;
    }

    private void close(
            @Nullable CleanupReport report,
            @Nullable Throwable fault,
            List<String> early,
            Supplier<List<String>> finish) {
        List<String> notices = new ArrayList<>(early);
        try {
            notices.addAll(finish.get());
        } catch (RuntimeException | Error unexpected) {
            notices.add("The command's changes to files could not be fetched: " + unexpected);
        }
        if (report == null) {
            closed.completeExceptionally(
                    fault == null ? new IllegalStateException("a command closed without a report") : fault);
            return;
        }
        notices.addAll(0, report.notices());
        closed.complete(new CleanupReport(report.leftoversEnded(), notices));
    }

    @Override
    public CompletionStage<CleanupReport> onClosed() {
        return closed.minimalCompletionStage();
    }
}
