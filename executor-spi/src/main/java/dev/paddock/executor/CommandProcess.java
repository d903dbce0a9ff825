package dev.paddock.executor;

import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** Shows an executor's command as a {@link Process} without a handle. */
final class CommandProcess extends Process {
    private static final Duration EVER = Duration.ofNanos(Long.MAX_VALUE);

    private final ProcessLike command;
    private final AbortController destroying;
    private final CompletableFuture<ExitStatus> exit;

    private CommandProcess(ProcessLike command, AbortController destroying) {
        this.command = command;
        this.destroying = destroying;
        this.exit = command.onExit().toCompletableFuture();
    }

    static Process start(CommandExecutor executor, String command, SpawnOptions options) {
        AbortController destroying = new AbortController();
        AbortSignal signal = AbortSignal.any(options.signal(), destroying.signal());
        SpawnOptions own = options.toBuilder().signal(signal).build();
        return new CommandProcess(executor.spawn(command, own), destroying);
    }

    @Override
    public OutputStream getOutputStream() {
        return command.stdin();
    }

    @Override
    public InputStream getInputStream() {
        return command.stdout();
    }

    @Override
    public InputStream getErrorStream() {
        return command.stderr();
    }

    @Override
    public int waitFor() throws InterruptedException {
        return command.waitFor(EVER).orElseThrow().code();
    }

    @Override
    public boolean waitFor(long timeout, TimeUnit unit) throws InterruptedException {
        return command.waitFor(Duration.ofNanos(unit.toNanos(Math.max(0, timeout))))
                .isPresent();
    }

    @Override
    public int exitValue() {
        if (isAlive()) {
            throw new IllegalThreadStateException("the command has not exited");
        }
        if (exit.state() == Future.State.SUCCESS) {
            return exit.resultNow().code();
        }
        throw new ExecutorException("the command's status is not known: " + exit.exceptionNow(), exit.exceptionNow());
    }

    @Override
    public boolean isAlive() {
        return !exit.isDone();
    }

    @Override
    public void destroy() {
        destroying.abort("destroyed");
    }

    @Override
    public Process destroyForcibly() {
        command.kill(Signal.KILL);
        return this;
    }

    @Override
    public boolean supportsNormalTermination() {
        return true;
    }

    @Override
    public long pid() {
        return command.pid().orElseThrow(() -> new UnsupportedOperationException("the executor knows no process id"));
    }

    @Override
    public CompletableFuture<Process> onExit() {
        return exit.thenApply(status -> this);
    }
}
