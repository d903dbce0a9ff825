package dev.paddock.executor.bwrap;

import dev.paddock.executor.CleanupReport;
import dev.paddock.executor.ExitStatus;
import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.Signal;
import dev.paddock.executor.process.supervise.Supervisor;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The main process inside a sandbox, while the supervisor supervises bubblewrap outside. Its
 * streams are descriptors of their own, and its exit is reported before bubblewrap's.
 */
final class BwrapCommand implements ProcessLike {
    /** Half a second; by then bubblewrap has exited. */
    private static final int LOOKS = 10_000;

    private static final long BETWEEN_LOOKS_NANOS = 50_000;

    private final Sandbox sandbox;
    private final ProcessLike supervised;
    private final OutputStream stdin;
    private final InputStream stdout;
    private final InputStream stderr;
    private final CompletableFuture<ExitStatus> exit = new CompletableFuture<>();

    BwrapCommand(Sandbox sandbox, ProcessLike supervised) {
        this.sandbox = sandbox;
        this.supervised = supervised;
        this.stdin = sandbox.outside().to(SandboxLauncher.STDIN);
        this.stdout = sandbox.outside().from(SandboxLauncher.STDOUT);
        this.stderr = sandbox.outside().from(SandboxLauncher.STDERR);
    }

    /**
     * Registers callbacks for the exit, without a thread.
     *
     * @param supervisor waits for the main process: bubblewrap outside detects its exit only
     *     through the sandbox's first process, between them
     * @return ends the wait for the main process; to be run before the sandbox is closed
     */
    Runnable follow(Supervisor supervisor) {
        Runnable unwatch = supervisor.whenEnded(sandbox.main(), this::askMain);
        supervised.onExit().whenComplete(this::completeExit);
        return unwatch;
    }

    /**
     * Polls for the main process's status, which the kernel reports as soon as its parent, the
     * namespace's first process, has reaped it.
     */
    private void askMain() {
        for (int look = 0; look < LOOKS && !exit.isDone(); look++) {
            Optional<ExitStatus> status = sandbox.main().exitStatus();
            if (status.isPresent()) {
                exit.complete(status.get());
                return;
            }
            LockSupport.parkNanos(BETWEEN_LOOKS_NANOS);
        }
    }

    private void completeExit(@Nullable ExitStatus outside, @Nullable Throwable fault) {
        if (outside == null) {
            exit.completeExceptionally(
                    fault == null ? new IllegalStateException("a process ended without a status") : fault);
        } else if (!exit.isDone()) {
            exit.complete(sandbox.main().exitStatus().orElseGet(() -> ExitStatus.ofShellCode(outside.code())));
        }
    }

    @Override
    public InputStream stdout() {
        return stdout;
    }

    @Override
    public InputStream stderr() {
        return stderr;
    }

    @Override
    public OutputStream stdin() {
        return stdin;
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
    public CompletionStage<ExitStatus> onExit() {
        return exit;
    }

    @Override
    public CompletionStage<CleanupReport> onClosed() {
        return supervised.onClosed();
    }
}
