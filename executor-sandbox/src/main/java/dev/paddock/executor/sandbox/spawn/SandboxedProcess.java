package dev.paddock.executor.sandbox.spawn;

import dev.paddock.executor.CleanupReport;
import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.ExitStatus;
import dev.paddock.executor.ForwardingProcess;
import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.PublishedPort;
import dev.paddock.executor.SandboxLostException;
import dev.paddock.executor.Signal;
import dev.paddock.executor.log.LateLogger;
import dev.paddock.executor.network.Publication;
import dev.paddock.executor.os.io.DaemonThreads;
import dev.paddock.executor.process.end.OffloadingFuture;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A command in a sandbox: maps its exit status, and after its process tree has ended settles the worktree and closes
 * the sandbox. Reports the loss of the sandbox at once, even if the tree's end can only be confirmed later.
 *
 * <p>Its callbacks complete whatever fails (C18): a fault of one step becomes a notice of the report, and the other
 * steps follow. Actions that depend on a callback run on their own threads and may block, for example one of {@code
 * onExit} that waits for {@code onClosed}.
 */
final class SandboxedProcess extends ForwardingProcess {
    private static final System.Logger LOG = LateLogger.of(SandboxedProcess.class);

    private static final String UNCONFIRMED = "It could not be confirmed that every process of the command has ended"
            + " (%s). One that runs on may change the worktree after this report.";

    private static final String INEXACT = "The reason why the command ended could not be determined (%s). The reported"
            + " status is that of the sandbox's process.";

    private static final String UNCOUNTED = "The processes that the command left could not be ended as usual (%s).";

    private static final String UNSETTLED = "The protected paths of the worktree could not be settled (%s). Check them"
            + " before you use git or an editor there.";

    private static final String UNCLOSED = "The command's sandbox could not be closed (%s).";

    private final WarmSlot slot;
    private final StatusMapper mapper;
    private final Optional<Publication> published;
    private final CommandSettlement settlement;
    private final Duration endBound;
    private final CompletableFuture<ExitStatus> exit = offloading();
    private final CompletableFuture<CleanupReport> settled = offloading();

    /** Completes after {@link #exit}; callers cannot add actions to it. */
    private final CompletableFuture<Boolean> exited = new CompletableFuture<>();

    /** Completes when no process is left that could change the worktree, or none can be followed any longer. */
    private final CompletableFuture<Boolean> end = new CompletableFuture<>();

    private final Set<String> faults = Collections.synchronizedSet(new LinkedHashSet<>());
    private volatile Optional<SandboxLostException> loss = Optional.empty();

    /**
     * Wraps a command's process.
     *
     * @param process the process that its sandbox has released
     * @param slot the sandbox; closed when the process has settled
     * @param mapper maps the process's exit status
     * @param published its published ports; closed when the process has settled
     * @param settlement settles the worktree once, after the tree has ended
     * @param endBound how long after the process's close the slot may take to confirm the end of its tree, unless the
     *     sandbox is lost; the command then closes, and is settled again at that end
     */
    SandboxedProcess(
            ProcessLike process,
            WarmSlot slot,
            StatusMapper mapper,
            Optional<Publication> published,
            CommandSettlement settlement,
            Duration endBound) {
        super(process);
        this.slot = slot;
        this.mapper = mapper;
        this.published = published;
        this.settlement = settlement;
        this.endBound = endBound;
    }

    private static <T> CompletableFuture<T> offloading() {
        return new OffloadingFuture<>(
                action -> DaemonThreads.virtual("paddock-command-callback").start(action));
    }

    /**
     * Registers callbacks on the process, without a thread: they settle after both its exit and the end of its tree.
     */
    void follow() {
        stage(delegate()::onExit).whenComplete(this::completeExit);
        stage(delegate()::onClosed)
                .handle(this::report)
                .thenCompose(this::afterEnd)
                .thenCombine(exited, (report, done) -> settle(report));
    }

    /** Returns a stage; a failed one if the call throws. */
    private static <T> CompletionStage<T> stage(Supplier<CompletionStage<T>> call) {
        try {
            return call.get();
        } catch (RuntimeException | Error fault) {
            return CompletableFuture.failedStage(fault);
        }
    }

    /** Returns a future; a failed one if the call throws. */
    private static CompletableFuture<?> future(Supplier<? extends CompletionStage<?>> call) {
        try {
            return call.get().toCompletableFuture();
        } catch (RuntimeException | Error fault) {
            return CompletableFuture.failedFuture(fault);
        }
    }

    private CleanupReport report(@Nullable CleanupReport report, @Nullable Throwable fault) {
        if (!exited.isDone()) {
            CompletableFuture.delayedExecutor(endBound.toMillis(), TimeUnit.MILLISECONDS)
                    .execute(() -> completeExit(null, new IllegalStateException("its exit was not reported")));
        }
        if (fault == null) {
            return Optional.ofNullable(report).orElse(CleanupReport.NONE);
        }
        if (cause(fault) instanceof SandboxLostException lost) {
            settled.completeExceptionally(lost);
        } else {
            note(UNCOUNTED, cause(fault));
        }
        return CleanupReport.NONE;
    }

    /** Waits until every process has exited; within a bound, unless the loss has been reported. */
    private CompletionStage<CleanupReport> afterEnd(CleanupReport report) {
        CompletableFuture<?> treeEnd = future(slot::onEnd);
        if (treeEnd.state() == Future.State.SUCCESS) {
            end.complete(true); // usually: wakes neither another thread nor a timer
            return CompletableFuture.completedStage(report);
        }
        CompletionStage<Boolean> unused = treeEnd.handle((done, fault) -> {
            if (fault != null) {
                note(UNCONFIRMED, cause(fault));
            }
            return end.complete(true);
        });
        CompletableFuture<Boolean> ended = end.copy();
        if (!settled.isDone()) {
            ended.completeOnTimeout(false, endBound.toMillis(), TimeUnit.MILLISECONDS);
        }
        return ended.thenApply(known -> report);
    }

    private void completeExit(@Nullable ExitStatus status, @Nullable Throwable fault) {
        published.ifPresent(Publication::end);
        if (loss.isPresent()) {
            exit.completeExceptionally(loss.get());
        } else if (status != null) {
            exit.complete(mapped(status));
        } else {
            exit.completeExceptionally(failure(cause(fault)));
        }
        exited.complete(true);
    }

    private ExitStatus mapped(ExitStatus status) {
        try {
            return mapper.map(status);
        } catch (RuntimeException | Error fault) {
            note(INEXACT, fault);
            return status;
        }
    }

    private static ExecutorException failure(Throwable fault) {
        return fault instanceof ExecutorException known
                ? known
                : new ExecutorException("the end of the command's process could not be observed: " + fault, fault);
    }

    private static Throwable cause(@Nullable Throwable fault) {
        if (fault == null) {
            return new IllegalStateException("it ended without a status");
        }
        Throwable cause = fault.getCause();
        return fault instanceof CompletionException && cause != null ? cause : fault;
    }

    private boolean settle(CleanupReport report) {
        published.ifPresent(Publication::close);
        List<String> notices = new ArrayList<>(report.notices());
        boolean ended = end.isDone();
        if (ended) {
            attempt(UNSETTLED, () -> notices.addAll(settlement.settle()));
            attempt(UNCLOSED, slot::close);
        } else {
            String survivors = slot.describe();
            notices.add(survived(survivors));
            attempt(UNSETTLED, () -> notices.addAll(settlement.examine(survivors)));
        }
        notices.addAll(faults);
        if (exit.isCompletedExceptionally()) {
            settlement.postpone(notices);
            settled.completeExceptionally(exit.exceptionNow());
        } else {
            settled.complete(CleanupReport.of(report.leftoversEnded(), notices));
        }
        if (ended) {
            settlement.close();
        } else {
            CompletableFuture<Void> unused =
                    end.thenRunAsync(this::settleAgain, offloading().defaultExecutor());
        }
        return ended;
    }

    private static String survived(String survivors) {
        return "Processes of the command survive SIGKILL, held by the kernel (" + survivors
                + "). Until they have ended,"
                + " the worktree is not safe for programs of the host, such as git and editors. It was examined now, and"
                + " is examined again when they have ended; the next command's result reports what they changed.";
    }

    /** Settles the changes of processes that have outlived the command's report. */
    private void settleAgain() {
        faults.clear();
        List<String> notices = new ArrayList<>();
        attempt(UNSETTLED, () -> notices.addAll(settlement.settle()));
        attempt(UNCLOSED, slot::close);
        notices.addAll(faults);
        settlement.postpone(notices);
        settlement.close();
    }

    private void attempt(String notice, Runnable step) {
        try {
            step.run();
        } catch (RuntimeException | Error fault) {
            note(notice, fault);
        }
    }

    private void note(String notice, Throwable fault) {
        LOG.log(Level.WARNING, "The cleanup after a command failed", fault);
        faults.add(notice.formatted(fault));
    }

    /** Kills the command, and reports its exit as the loss of its sandbox. Returns at once. */
    void lose(SandboxLostException fault) {
        loss = Optional.of(fault);
        end();
    }

    /** Kills the command. Returns at once: a sandbox that does not answer delays no other. */
    void end() {
        DaemonThreads.virtual("paddock-command-end").start(() -> kill(Signal.KILL));
    }

    @Override
    public List<PublishedPort> published() {
        return published.map(Publication::ports).orElse(List.of());
    }

    @Override
    public CompletionStage<ExitStatus> onExit() {
        return exit;
    }

    @Override
    public CompletionStage<CleanupReport> onClosed() {
        return settled;
    }
}
