package dev.paddock.executor.remote.command;

import dev.paddock.executor.AbortSignal;
import dev.paddock.executor.CleanupReport;
import dev.paddock.executor.CommandShell;
import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.ExitStatus;
import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.Signal;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.TerminalSize;
import dev.paddock.executor.remote.ShellChannel;
import dev.paddock.executor.remote.shell.CloseQuietly;
import dev.paddock.executor.remote.shell.CommandId;
import dev.paddock.executor.remote.shell.MarkedStream;
import dev.paddock.executor.remote.shell.Slot;
import dev.paddock.executor.remote.shell.StreamBuffer;
import dev.paddock.executor.sandbox.cgroup.OutOfMemoryVerdict;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/** A command that runs in a remote system, from its request to the end of its streams. */
public final class RemoteCommand implements ProcessLike, Slot.Receiver {
    /** How long the output that a command wrote before its end may take to arrive. */
    private static final long LAST_OUTPUT_MILLIS = 200;

    /** The poll interval for further output after a command with a terminal has ended. */
    private static final Duration TERMINAL_POLL = Duration.ofMillis(200);

    private final RemoteSystem remote;
    private final CommandId id;
    private final Slot slot;
    private final SpawnOptions options;
    private final StreamBuffer stdout = new StreamBuffer();
    private final StreamBuffer stderr = new StreamBuffer();
    private final MarkedStream markedOut;
    private final MarkedStream markedErr;
    private final OutputStream stdin;
    private final CompletableFuture<ExitStatus> exit = new CompletableFuture<>();
    private final CompletableFuture<CleanupReport> closed = new CompletableFuture<>();

    /** Completes when no process of the command is left; after a loss, once that is certain. */
    private final CompletableFuture<Boolean> treeEnd = new CompletableFuture<>();

    private final AtomicBoolean brokenPipe = new AtomicBoolean();
    private final AtomicBoolean endedWithSystem = new AtomicBoolean();
    private final Deliveries deliveries = new Deliveries();
    private final RemoteTermination termination;
    private volatile long pid;
    private volatile AbortSignal.Registration abort = () -> {};

    /**
     * Creates a command; {@link RemoteSystem#run} executes it.
     *
     * @param slot has greeted
     */
    RemoteCommand(RemoteSystem remote, CommandId id, Slot slot, SpawnOptions options) {
        this.remote = remote;
        this.id = id;
        this.slot = slot;
        this.options = options;
        this.termination = new RemoteTermination(remote, this, closed);
        this.markedOut = new MarkedStream(id.mark(), stdout);
        this.markedErr = new MarkedStream(id.mark(), stderr);
        this.stdin = input();
        closeEmptyInput();
        if (hasTerminal()) {
            stderr.end();
        }
    }

    private OutputStream input() {
        if (hasTerminal()) {
            return new RemoteTerminalInput(slot.input(), exit, () -> remote.endOfFile(this));
        }
        return options.stdin() == SpawnOptions.Stdin.PIPE
                ? new CommandInput(slot, exit, remote.framesInput(this))
                : OutputStream.nullOutputStream();
    }

    boolean hasPipe() {
        return options.stdin() == SpawnOptions.Stdin.PIPE && !hasTerminal();
    }

    private boolean hasTerminal() {
        return options.terminal().isPresent();
    }

    private void closeEmptyInput() {
        if (options.stdin() == SpawnOptions.Stdin.EMPTY) {
            CloseQuietly.close(stdin);
        }
    }

    /**
     * Sets the size of the command's terminal, if any: remote systems start terminals without a size.
     *
     * @throws IOException if the remote system does not set it
     */
    void size() throws IOException {
        if (options.terminal().isPresent() && !resizeNow(options.terminal().get())) {
            throw new IOException("the remote system did not give the command's terminal the size "
                    + options.terminal().get());
        }
    }

    /** Returns which shell the slot takes. */
    CommandShell shell() {
        return options.shell();
    }

    Optional<TerminalSize> terminal() {
        return options.terminal();
    }

    private boolean resizeNow(TerminalSize size) {
        return slot.channel().resize(size.columns(), size.rows());
    }

    @Override
    public boolean resize(int columns, int rows) {
        TerminalSize size = new TerminalSize(columns, rows);
        return hasTerminal() && !exit.isDone() && resizeNow(size);
    }

    /** Records that the command runs, so that it can be aborted. */
    void started(long number) {
        pid = number;
        AbortSignal.Registration registration = options.signal().onAbort(() -> end(options.killGrace()));
        abort = registration;
        if (exit.isDone()) {
            registration.close();
        }
    }

    CommandId id() {
        return id;
    }

    Slot.Greeting greeting() {
        return slot.greeting().join();
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
        return OptionalLong.of(pid);
    }

    @Override
    public CompletionStage<ExitStatus> onExit() {
        return exit.minimalCompletionStage();
    }

    @Override
    public CompletionStage<CleanupReport> onClosed() {
        return closed.minimalCompletionStage();
    }

    /** Returns a future that completes normally when no process of the command is left. */
    CompletableFuture<Boolean> onTreeEnd() {
        return treeEnd;
    }

    /** Identifies the run of the remote system that the command belongs to. */
    String run() {
        return remote.run();
    }

    Slot slot() {
        return slot;
    }

    @Override
    public boolean kill(Signal signal) {
        return !exit.isDone() && termination.send(signal);
    }

    /** Sends SIGTERM, and SIGKILL after the grace period. Returns at once. */
    void end(Duration grace) {
        termination.end(grace);
    }

    /** Handles the main process's exit. */
    void exited(int code, long ooms) {
        abort.close();
        exit.complete(status(code, ooms));
        abort.close(); // once more, for a registration that started() has made in between
    }

    private ExitStatus status(int code, long ooms) {
        return OutOfMemoryVerdict.of(ExitStatus.ofShellCode(code), ooms, remote.memoryLimit());
    }

    /** Handles the notice that the command has left processes running, and that its slot waits for their exit (C8). */
    void left() {
        termination.endLeftovers(options.killGrace());
    }

    @Override
    public void output(int stream, byte[] bytes, int length) throws IOException {
        MarkedStream marked = stream == ShellChannel.STDERR ? markedErr : markedOut;
        deliveries.begin();
        if (!marked.accept(bytes, length) && brokenPipe.compareAndSet(false, true)) {
            // A process that writes to a pipe without a reader gets this signal; the engine cannot close one of two
            // streams.
            remote.signal(this, Signal.PIPE);
        }
        deliveries.end();
        if (markedOut.trailer().isPresent()
                && (hasTerminal() || markedErr.trailer().isPresent())) {
            finish(markedOut.trailer().get().strip().split(" ", -1));
        }
    }

    /**
     * Handles the notice that no process of a command with a terminal is left. The mark that ends its output does not
     * arrive if the command has stopped the terminal, as {@code ^S} does; a slow reader's output is waited for.
     */
    void done() {
        remote.later(TERMINAL_POLL.toMillis(), () -> {
            if (!closed.isDone() && deliveries.isQuiet()) {
                remote.release(this);
                stdout.end();
                reportClosed();
            } else if (!closed.isDone()) {
                done();
            }
        });
    }

    private void finish(String[] words) {
        exited(Integer.parseInt(words[0]), Long.parseLong(words[1]));
        remote.release(this);
        reportClosed();
    }

    private void reportClosed(String... notices) {
        int ended = termination.leftovers();
        treeEnd.complete(true);
        closed.complete(
                ended == 0 && notices.length == 0
                        ? CleanupReport.NONE
                        : CleanupReport.of(OptionalInt.of(ended), List.of(notices)));
    }

    /**
     * Handles the end of the connection: after the end of the command, because the slot was killed together with its
     * command, or by a loss.
     */
    @Override
    public void ended() {
        markedOut.end();
        markedErr.end();
        if (!closed.isDone() && !endedWithSystem.get()) {
            remote.slotEnded(this);
        }
    }

    /**
     * Records that the command is about to be ended together with its remote system, so that other events of its end
     * are ignored.
     *
     * @return false if that was recorded before
     */
    boolean endWithSystem() {
        return endedWithSystem.compareAndSet(false, true);
    }

    /** Settles a command that was ended together with its remote system. */
    void endedWithSystem() {
        slot.end()
                .copy()
                .completeOnTimeout(null, LAST_OUTPUT_MILLIS, TimeUnit.MILLISECONDS)
                .join();
        exited(128 + Signal.KILL.number(), 0);
        closeStreams();
        reportClosed(
                "The container was ended together with the command, since the command's processes could not be killed"
                        + " otherwise. Files in it outside the worktree and the mounts are lost.");
    }

    private void closeStreams() {
        slot.close();
        stdout.end();
        stderr.end();
    }

    /** Settles a command whose slot ended without reporting its exit. */
    void endedWith(int code, long ooms) {
        exited(code, ooms);
        reportClosed();
    }

    /** Closes a command that could not be started and has no waiter. */
    void withdrawn() {
        abort.close();
        closed.complete(CleanupReport.NONE);
        slot.close();
    }

    /** Records that no process of a lost or withdrawn command is left. */
    public void confirmEnd() {
        treeEnd.complete(true);
    }

    /**
     * Fails the command's callbacks with the loss of its remote system (C15). Its processes may still
     * run, until {@link #confirmEnd}.
     */
    void lost(ExecutorException loss) {
        abort.close();
        exit.completeExceptionally(loss);
        abort.close();
        closed.completeExceptionally(loss);
        closeStreams();
    }
}
