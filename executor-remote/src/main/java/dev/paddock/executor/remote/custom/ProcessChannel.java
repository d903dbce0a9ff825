package dev.paddock.executor.remote.custom;

import dev.paddock.executor.SandboxLostException;
import dev.paddock.executor.os.io.DaemonThreads;
import dev.paddock.executor.process.launch.ChildProcess;
import dev.paddock.executor.process.supervise.Supervisor;
import dev.paddock.executor.remote.ShellChannel;
import dev.paddock.executor.remote.shell.CloseQuietly;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntUnaryOperator;

/**
 * A channel to a remote process behind one process of this host: {@code ssh}, or another program that passes its
 * standard streams on and exits as the remote process does.
 *
 * @since 0.1
 */
public final class ProcessChannel implements ShellChannel {
    private static final int BLOCK = 16 << 10;

    private final String backend;
    private final Supervisor supervisor;
    private final ChildProcess child;
    private final IntUnaryOperator exitCode;
    private final ReentrantLock delivering = new ReentrantLock();
    private final AtomicBoolean closed = new AtomicBoolean();

    /**
     * Wraps a process.
     *
     * @param backend the executor's name, for its exceptions
     * @param supervisor has started the process, and outlives the channel
     * @param child launched with a pipe for its input, and with standard error separate; the channel discards it when
     *     closed
     * @param exitCode maps the process's exit code to the remote process's, both 0 to 255: 137 for one that a signal
     *     has ended, however the program reports that
     */
    public ProcessChannel(String backend, Supervisor supervisor, ChildProcess child, IntUnaryOperator exitCode) {
        this.backend = backend;
        this.supervisor = supervisor;
        this.child = child;
        this.exitCode = exitCode;
    }

    @Override
    public OutputStream input() {
        return child.stdin();
    }

    @Override
    public void endInput() throws IOException {
        child.stdin().close();
    }

    @Override
    public void deliver(Output output) throws IOException {
        CompletableFuture<Void> errors = new CompletableFuture<>();
        DaemonThreads.virtual("paddock-remote-stderr").start(() -> {
            try {
                copy(child.stderr(), STDERR, output);
                errors.complete(null);
            } catch (IOException | RuntimeException fault) {
                errors.completeExceptionally(fault);
            }
        });
        copy(child.stdout(), STDOUT, output);
        try {
            errors.join();
        } catch (CompletionException fault) {
            throw new IOException("the standard error of a remote process cannot be read", fault.getCause());
        }
    }

    private void copy(InputStream from, int stream, Output output) throws IOException {
        byte[] bytes = new byte[BLOCK];
        for (int read = from.read(bytes); read >= 0; read = from.read(bytes)) {
            delivering.lock();
            try {
                output.accept(stream, bytes, read);
            } finally {
                delivering.unlock();
            }
        }
    }

    @Override
    public OptionalInt exitCode() {
        if (!child.hasEnded() || child.ended().isCompletedExceptionally()) {
            return OptionalInt.empty();
        }
        return OptionalInt.of(exitCode.applyAsInt(child.ended().join().code()));
    }

    @Override
    public SandboxLostException loss(String reason, Throwable cause) {
        return new SandboxLostException(backend, reason, cause);
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            CloseQuietly.close(child.stdin());
            supervisor.discard(child);
            CloseQuietly.close(child.stdout());
            CloseQuietly.close(child.stderr());
        }
    }
}
