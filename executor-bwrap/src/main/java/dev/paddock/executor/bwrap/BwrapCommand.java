package dev.paddock.executor.bwrap;

import dev.paddock.executor.CleanupReport;
import dev.paddock.executor.ExitStatus;
import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.Signal;
import dev.paddock.executor.log.LateLogger;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The main process inside a sandbox, while the supervisor supervises bubblewrap outside. Its exit is reported before
 * bubblewrap's. After an abort it is reported only when every process of the sandbox has exited, since the sandbox's
 * first process is stopped until then.
 */
final class BwrapCommand implements ProcessLike {
    private static final System.Logger LOG = LateLogger.of(BwrapCommand.class);

    /** Half a second; bubblewrap has exited by then. */
    private static final int CHECKS = 10_000;

    private static final long BETWEEN_CHECKS_NANOS = 50_000;

    /**
     * How long the outer bubblewrap may take to exit after the main process: it waits for all other processes, and the
     * kernel can delay any of them.
     */
    private static final long HELD_MILLIS = 3_000;

    private final BwrapTree sandbox;
    private final ProcessLike supervised;
    private final CompletableFuture<ExitStatus> exit = new CompletableFuture<>();
    private volatile OptionalInt left = OptionalInt.empty();

    BwrapCommand(BwrapTree sandbox, ProcessLike supervised) {
        this.sandbox = sandbox;
        this.supervised = supervised;
    }

    /**
     * Registers callbacks for the exit, without a thread.
     *
     * @param mainEnd completed when the main process has exited, if it can be watched; the outer bubblewrap detects
     *     that exit later
     */
    void follow(CompletableFuture<Boolean> mainEnd) {
        CompletableFuture<Void> unused = mainEnd.thenRun(() -> sandbox.whenReleased(this::mainHasEnded));
        supervised.onExit().whenComplete(this::completeExit);
    }

    private void mainHasEnded() {
        try {
            left = OptionalInt.of(sandbox.others()); // counted before the exit is reported, since callers may ask then
        } finally {
            sandbox.endOthers();
        }
        askMain();
        CompletionStage<ExitStatus> unused = supervised
                .onExit()
                .toCompletableFuture()
                .copy()
                .orTimeout(HELD_MILLIS, TimeUnit.MILLISECONDS)
                .whenComplete((status, fault) -> {
                    if (fault instanceof TimeoutException) {
                        sandbox.outside().signal(Signal.KILL);
                    }
                });
    }

    /** Polls for the main process's status: the kernel reports it once the namespace's first process has reaped it. */
    private void askMain() {
        for (int check = 0; check < CHECKS && !exit.isDone(); check++) {
            Optional<ExitStatus> status = sandbox.main().exitStatus();
            if (status.isPresent()) {
                exit.complete(status.get());
                return;
            }
            LockSupport.parkNanos(BETWEEN_CHECKS_NANOS);
        }
    }

    private void completeExit(@Nullable ExitStatus outside, @Nullable Throwable fault) {
        if (outside == null) {
            exit.completeExceptionally(
                    fault == null ? new IllegalStateException("a process ended without a status") : fault);
        } else if (!exit.isDone()) {
            exit.complete(inside().orElseGet(() -> ExitStatus.ofShellCode(outside.code())));
        }
    }

    /** Returns the main process's status; empty if the kernel does not report it. */
    private Optional<ExitStatus> inside() {
        try {
            return sandbox.main().exitStatus();
        } catch (RuntimeException fault) {
            LOG.log(System.Logger.Level.WARNING, "A command's status is that of its sandbox", fault);
            return Optional.empty();
        }
    }

    @Override
    public InputStream stdout() {
        return sandbox.stdout();
    }

    @Override
    public InputStream stderr() {
        return sandbox.stderr();
    }

    @Override
    public OutputStream stdin() {
        return sandbox.stdin();
    }

    @Override
    public OptionalLong pid() {
        return OptionalLong.of(sandbox.mainPidInside());
    }

    @Override
    public boolean kill(Signal signal) {
        return !exit.isDone() && supervised.kill(signal);
    }

    @Override
    public boolean resize(int columns, int rows) {
        return supervised.resize(columns, rows) && !exit.isDone();
    }

    @Override
    public CompletionStage<ExitStatus> onExit() {
        return exit;
    }

    @Override
    public CompletionStage<CleanupReport> onClosed() {
        return supervised
                .onClosed()
                .thenApply(report -> left.isPresent() ? CleanupReport.of(left, report.notices()) : report);
    }
}
