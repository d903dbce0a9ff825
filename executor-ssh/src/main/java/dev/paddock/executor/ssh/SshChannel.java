package dev.paddock.executor.ssh;

import dev.paddock.executor.SandboxLostException;
import dev.paddock.executor.log.LateLogger;
import dev.paddock.executor.process.io.DaemonThreads;
import dev.paddock.executor.process.launch.ChildProcess;
import dev.paddock.executor.remote.ShellChannel;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;

/** A process on the remote host, behind one process of ssh's here. */
final class SshChannel implements ShellChannel {
    private static final System.Logger LOG = LateLogger.of(SshChannel.class);
    private static final int BLOCK = 16 << 10;
    private static final int MAX_PREAMBLE = 64 << 10;

    /** What ssh exits with for an error of its own, and for a remote process that a signal has ended. */
    private static final int SSH_FAILED = 255;

    private static final int KILLED = 137;

    private final SshProcesses processes;
    private final ChildProcess child;
    private final byte[] token;
    private final Runnable onClose;
    private final ReentrantLock delivering = new ReentrantLock();
    private final AtomicBoolean closed = new AtomicBoolean();

    /**
     * Wraps a process.
     *
     * @param token the remote process writes it to both streams before anything of its own; what a
     *     login shell's start-up files have written comes before it, and is discarded
     * @param onClose runs once, when the channel is closed
     */
    SshChannel(SshProcesses processes, ChildProcess child, byte[] token, Runnable onClose) {
        this.processes = processes;
        this.child = child;
        this.token = token;
        this.onClose = onClose;
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
        DaemonThreads.virtual("paddock-ssh-stderr").start(() -> {
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
        ByteArrayOutputStream preamble = new ByteArrayOutputStream();
        boolean begun = false;
        byte[] bytes = new byte[BLOCK];
        for (int read = from.read(bytes); read >= 0; read = from.read(bytes)) {
            if (begun) {
                accept(output, stream, bytes, read);
                continue;
            }
            preamble.write(bytes, 0, read);
            byte[] seen = preamble.toByteArray();
            int end = endOfToken(seen);
            if (end >= 0) {
                begun = true;
                accept(output, stream, Arrays.copyOfRange(seen, end, seen.length), seen.length - end);
            } else if (seen.length > MAX_PREAMBLE) {
                throw new IOException("the remote host's shell writes without end before it runs anything");
            }
        }
        if (!begun && preamble.size() > 0) {
            accept(output, STDERR, preamble.toByteArray(), preamble.size()); // ssh's own message
        }
    }

    private int endOfToken(byte[] seen) {
        for (int at = 0; at + token.length <= seen.length; at++) {
            if (Arrays.equals(seen, at, at + token.length, token, 0, token.length)) {
                return at + token.length;
            }
        }
        return -1;
    }

    private void accept(Output output, int stream, byte[] bytes, int length) throws IOException {
        if (length == 0) {
            return;
        }
        delivering.lock();
        try {
            output.accept(stream, bytes, length);
        } finally {
            delivering.unlock();
        }
    }

    /**
     * Returns the exit code; 137 if a signal has ended the process or the connection has failed, which
     * ssh does not tell apart: whoever asks finds out whether the host still answers.
     */
    @Override
    public OptionalInt exitCode() {
        if (!child.hasEnded() || child.ended().isCompletedExceptionally()) {
            return OptionalInt.empty();
        }
        int code = child.ended().join().code();
        return OptionalInt.of(code == SSH_FAILED ? KILLED : code);
    }

    @Override
    public SandboxLostException loss(String reason, Throwable cause) {
        return new SandboxLostException(SshExecutor.BACKEND, reason, cause);
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            close(child.stdin());
            processes.discard(child);
            close(child.stdout());
            close(child.stderr());
            onClose.run();
        }
    }

    private static void close(Closeable stream) {
        try {
            stream.close();
        } catch (IOException fault) {
            LOG.log(System.Logger.Level.DEBUG, "a stream of ssh's could not be closed", fault);
        }
    }
}
