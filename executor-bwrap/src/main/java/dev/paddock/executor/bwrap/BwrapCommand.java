package dev.paddock.executor.bwrap;

import dev.paddock.executor.Aftermath;
import dev.paddock.executor.ExitStatus;
import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.SandboxLostException;
import dev.paddock.executor.Signal;
import dev.paddock.executor.process.Supervisor;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A command in its sandbox. What is supervised is bubblewrap outside; this tells of the command inside. */
final class BwrapCommand implements ProcessLike {
    /** How long the processes of a sandbox may take to die after the first of them was killed. */
    private static final Duration DYING = Duration.ofSeconds(3);

    /** Half a second; then bubblewrap has told the end long since. */
    private static final int LOOKS = 10_000;

    private static final long BETWEEN_LOOKS_NANOS = 50_000;

    private static final int KILLED = 128 + Signal.KILL.number();

    private final Sandbox sandbox;
    private final ProcessLike supervised;
    private final OutputStream stdin;
    private final InputStream stdout;
    private final InputStream stderr;
    private final CompletableFuture<ExitStatus> exit = new CompletableFuture<>();
    private final CompletableFuture<Aftermath> settled = new CompletableFuture<>();
    private volatile Optional<String> lost = Optional.empty();
    private volatile Runnable unwatch = () -> {};

    /**
     * What else is to be known of a command's end.
     *
     * @param outOfMemory the status of a command that was killed, if that was for want of memory
     * @param notices puts right what the command has changed, when nothing of it runs any more
     * @param forget forgets the command
     */
    record Ending(Supplier<Optional<ExitStatus>> outOfMemory, Supplier<List<String>> notices, Runnable forget) {}

    BwrapCommand(Sandbox sandbox, ProcessLike supervised) {
        this.sandbox = sandbox;
        this.supervised = supervised;
        this.stdin = sandbox.outside().to(Launcher.STDIN);
        this.stdout = sandbox.outside().from(Launcher.STDOUT);
        this.stderr = sandbox.outside().from(Launcher.STDERR);
    }

    /**
     * Waits for the end. What is told of it is read before the sandbox is let go of.
     *
     * @param supervisor waits for the main process: bubblewrap outside learns of its end only from the process between them
     */
    void follow(Supervisor supervisor, Ending ending) {
        unwatch = supervisor.whenEnded(sandbox.main(), () -> askMain(ending));
        supervised.onExit().whenComplete((status, fault) -> completeExit(status, fault, ending));
        CompletionStage<Optional<Throwable>> failure =
                exit.handle((status, fault) -> Optional.<Throwable>ofNullable(fault));
        supervised
                .onClosed()
                .handle((aftermath, fault) -> Optional.ofNullable(aftermath).orElse(Aftermath.NONE))
                .thenCombine(failure, (aftermath, fault) -> settle(aftermath, fault, ending));
    }

    /** Its status can be had as soon as its parent, the namespace's first process, has waited for it. */
    private void askMain(Ending ending) {
        for (int look = 0; look < LOOKS && !exit.isDone(); look++) {
            Optional<ExitStatus> status = sandbox.main().exitStatus();
            if (status.isPresent()) {
                completeExit(status.get(), ending);
                return;
            }
            LockSupport.parkNanos(BETWEEN_LOOKS_NANOS);
        }
    }

    private void completeExit(@Nullable ExitStatus outside, @Nullable Throwable fault, Ending ending) {
        if (outside == null && lost.isEmpty()) {
            exit.completeExceptionally(
                    fault == null ? new IllegalStateException("a process ended without a status") : fault);
        } else if (!exit.isDone()) {
            int code = outside == null ? KILLED : outside.code();
            completeExit(sandbox.main().exitStatus().orElseGet(() -> ExitStatus.ofShellCode(code)), ending);
        }
    }

    private void completeExit(ExitStatus status, Ending ending) {
        if (lost.isPresent()) {
            exit.completeExceptionally(new SandboxLostException(BwrapProvider.NAME, lost.get()));
        } else {
            exit.complete(status.code() == KILLED ? ending.outOfMemory().get().orElse(status) : status);
        }
    }

    private boolean settle(Aftermath aftermath, Optional<Throwable> failure, Ending ending) {
        List<String> notices = new ArrayList<>(aftermath.notices());
        try {
            if (!sandbox.awaitEnd(DYING)) {
                notices.add("Processes of the command are still dying, held by the kernel.");
            }
            notices.addAll(ending.notices().get());
        } catch (RuntimeException fault) {
            return settled.completeExceptionally(fault);
        } finally {
            unwatch.run();
            sandbox.close();
            ending.forget().run();
        }
        return failure.isPresent()
                ? settled.completeExceptionally(failure.get())
                : settled.complete(new Aftermath(aftermath.leftoversEnded(), notices));
    }

    /** What the command shares with others is gone: it is ended, and its end is told as a loss. */
    void lose(String reason) {
        lost = Optional.of(reason);
        sandbox.signal(Signal.KILL);
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
        return exit.minimalCompletionStage();
    }

    @Override
    public CompletionStage<Aftermath> onClosed() {
        return settled.minimalCompletionStage();
    }
}
