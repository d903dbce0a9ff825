package dev.paddock.executor.remote.files;

import dev.paddock.executor.CleanupReport;
import dev.paddock.executor.ForwardingProcess;
import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.os.io.DaemonThreads;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** A command whose file changes are fetched before it closes. */
final class SyncedProcess extends ForwardingProcess {
    private final CompletableFuture<CleanupReport> closed = new CompletableFuture<>();

    private SyncedProcess(ProcessLike delegate) {
        super(delegate);
    }

    /** The work after a command's end. */
    @FunctionalInterface
    interface Finish {
        /**
         * Fetches the changes; throws nothing.
         *
         * @param reported whether the command closes with a report; otherwise the remote system was lost
         * @return sentences for the report
         */
        List<String> run(boolean reported);
    }

    static SyncedProcess of(ProcessLike command, Finish finish) {
        SyncedProcess process = new SyncedProcess(command);
        var unused = command.onClosed()
                .whenComplete((report, fault) ->
                        DaemonThreads.virtual("paddock-sync-pull").start(() -> process.close(report, fault, finish)));
        return process;
    }

    private void close(@Nullable CleanupReport report, @Nullable Throwable fault, Finish finish) {
        List<String> notices = new ArrayList<>();
        try {
            notices.addAll(finish.run(report != null));
        } catch (RuntimeException | Error unexpected) {
            notices.add("The command's changes to files could not be fetched: " + unexpected);
        }
        // Not before this process's own exit has been reported.
        var unused = onExit().whenComplete((status, lost) -> {
            if (report == null) {
                closed.completeExceptionally(
                        fault == null ? new IllegalStateException("a command closed without a report") : fault);
            } else {
                notices.addAll(0, report.notices());
                closed.complete(CleanupReport.of(report.leftoversEnded(), notices));
            }
        });
    }

    @Override
    public CompletionStage<CleanupReport> onClosed() {
        return closed.minimalCompletionStage();
    }
}
