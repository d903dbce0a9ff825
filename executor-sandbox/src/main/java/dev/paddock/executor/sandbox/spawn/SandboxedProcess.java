package dev.paddock.executor.sandbox.spawn;

import dev.paddock.executor.CleanupReport;
import dev.paddock.executor.ExitStatus;
import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.SandboxLostException;
import dev.paddock.executor.Signal;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A command in a sandbox: maps its exit status, and after its process tree has ended settles the
 * worktree and closes the sandbox.
 */
final class SandboxedProcess implements ProcessLike {
    private static final String DYING = "Processes of the command are still dying, held by the kernel.";

    private final ProcessLike process;
    private final WarmSlot slot;
    private final StatusMapper mapper;
    private final Supplier<List<String>> settlement;
    private final CompletableFuture<ExitStatus> exit = new CompletableFuture<>();
    private final CompletableFuture<CleanupReport> settled = new CompletableFuture<>();
    private volatile Optional<SandboxLostException> loss = Optional.empty();

    /**
     * Wraps a command's process.
     *
     * @param process the process that its sandbox has released
     * @param slot the sandbox; closed when the process has settled
     * @param mapper maps the process's exit status
     * @param settlement settles the worktree once, after the tree has ended; returns notices,
     *     throws nothing
     */
    SandboxedProcess(ProcessLike process, WarmSlot slot, StatusMapper mapper, Supplier<List<String>> settlement) {
        this.process = process;
        this.slot = slot;
        this.mapper = mapper;
        this.settlement = settlement;
    }

    /**
     * Registers callbacks on the process, without a thread: they settle after both its exit and the
     * end of its tree.
     */
    void follow() {
        process.onExit().whenComplete(this::completeExit);
        process.onClosed()
                .handle((report, fault) -> Optional.ofNullable(report).orElse(CleanupReport.NONE))
                .thenCombine(exit.handle((status, fault) -> Optional.<Throwable>ofNullable(fault)), this::settle);
    }

    private void completeExit(@Nullable ExitStatus status, @Nullable Throwable fault) {
        if (loss.isPresent()) {
            exit.completeExceptionally(loss.get());
        } else if (status != null) {
            exit.complete(mapper.map(status));
        } else {
            exit.completeExceptionally(cause(fault));
        }
    }

    private static Throwable cause(@Nullable Throwable fault) {
        if (fault == null) {
            return new IllegalStateException("a process ended without a status");
        }
        Throwable cause = fault.getCause();
        return fault instanceof CompletionException && cause != null ? cause : fault;
    }

    private boolean settle(CleanupReport report, Optional<Throwable> failure) {
        List<String> notices = new ArrayList<>(report.notices());
        try {
            if (!slot.awaitEnd()) {
                notices.add(DYING);
            }
            notices.addAll(settlement.get());
            slot.close();
        } catch (RuntimeException fault) {
            return settled.completeExceptionally(fault);
        }
        return failure.isPresent()
                ? settled.completeExceptionally(failure.get())
                : settled.complete(new CleanupReport(report.leftoversEnded(), notices));
    }

    /** Kills the command, and reports its exit as the loss of its sandbox. */
    void lose(SandboxLostException fault) {
        loss = Optional.of(fault);
        process.kill(Signal.KILL);
    }

    @Override
    public InputStream stdout() {
        return process.stdout();
    }

    @Override
    public InputStream stderr() {
        return process.stderr();
    }

    @Override
    public OutputStream stdin() {
        return process.stdin();
    }

    @Override
    public OptionalLong pid() {
        return process.pid();
    }

    @Override
    public boolean kill(Signal signal) {
        return process.kill(signal);
    }

    @Override
    public CompletionStage<ExitStatus> onExit() {
        return exit.minimalCompletionStage();
    }

    @Override
    public CompletionStage<CleanupReport> onClosed() {
        return settled.minimalCompletionStage();
    }
}
