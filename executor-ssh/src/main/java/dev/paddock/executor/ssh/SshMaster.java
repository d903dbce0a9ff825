package dev.paddock.executor.ssh;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.paddock.executor.AbortedException;
import dev.paddock.executor.SandboxUnavailableException;
import dev.paddock.executor.log.LateLogger;
import dev.paddock.executor.os.io.DaemonThreads;
import dev.paddock.executor.os.io.Heartbeat;
import dev.paddock.executor.remote.ShellChannel;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** One authenticated connection whose sessions several ssh processes share. */
final class SshMaster implements Heartbeat.Beating {
    private static final System.Logger LOG = LateLogger.of(SshMaster.class);

    /** A server accepts 10 sessions on a connection by default (MaxSessions); one is the master's. */
    private static final int MAX_SESSIONS = 8;

    private static final String READY = "paddock-connected";
    private static final int MAX_MESSAGES = 4096;

    /** Time after the TCP connect for authentication and the start of the remote shell. */
    private static final Duration LOGIN_TIME = Duration.ofSeconds(10);

    /**
     * Seconds of silence after which ssh pings the server, and after which the connection
     * counts as lost without an answer: a silent host is lost within 5 seconds (C15). While the
     * {@link Heartbeat} is answered, ssh need not ping.
     */
    private static final int ALIVE_SECONDS = 2;

    private final ShellChannel channel;
    private final Path socket;
    private final AtomicInteger sessions = new AtomicInteger();
    private final CompletableFuture<Void> ready = new CompletableFuture<>();
    private final ByteArrayOutputStream messages = new ByteArrayOutputStream();
    private volatile boolean ended;

    private SshMaster(ShellChannel channel, Path socket) {
        this.channel = channel;
        this.socket = socket;
    }

    /**
     * Connects.
     *
     * @param socket path of the control socket for other ssh processes; must not exist yet
     * @param onEnd receives the reason when the connection ends
     * @throws SandboxUnavailableException if the host is unreachable, unknown, or refuses the login
     */
    static SshMaster connect(SshProcesses processes, Path socket, Consumer<String> onEnd) {
        // The session lasts as long as this JVM: cat exits at end of input.
        List<String> options = List.of(
                "-M",
                "-S",
                socket.toString(),
                "-o",
                "ServerAliveInterval=" + ALIVE_SECONDS,
                "-o",
                "ServerAliveCountMax=1");
        ShellChannel channel = new SshChannel(
                processes.start(options, "exec sh -c 'echo " + READY + "; exec cat'"),
                (READY + "\n").getBytes(UTF_8),
                () -> {});
        SshMaster master = new SshMaster(channel, socket);
        DaemonThreads.virtual("paddock-ssh-master").start(() -> master.listen(onEnd));
        Duration bound = processes.target().connectTimeout().plus(LOGIN_TIME);
        try {
            // The token is discarded; the echo of cat shows that the session runs.
            channel.input().write('\n');
            master.ready.get(bound.toMillis(), TimeUnit.MILLISECONDS);
            Heartbeat.add(master);
            if (master.ended) {
                Heartbeat.remove(master);
            }
            return master;
        } catch (IOException | ExecutionException fault) {
            // The message of ssh is complete once its streams have ended.
            master.ready
                    .exceptionally(ended -> null)
                    .completeOnTimeout(null, 1, TimeUnit.SECONDS)
                    .join();
            master.close();
            throw new SandboxUnavailableException(
                    SshExecutor.BACKEND, SshFailure.of(processes.target().host(), master.message()));
        } catch (TimeoutException silence) {
            master.close();
            throw new SandboxUnavailableException(
                    SshExecutor.BACKEND, SshFailure.silent(processes.target().host(), bound));
        } catch (InterruptedException interrupt) {
            Thread.currentThread().interrupt();
            master.close();
            throw new AbortedException(
                    "interrupted while connecting to " + processes.target().host());
        }
    }

    private void listen(Consumer<String> onEnd) {
        try {
            channel.deliver((stream, bytes, length) -> {
                if (stream == ShellChannel.STDOUT) {
                    ready.complete(null);
                } else {
                    keep(bytes, length);
                }
            });
        } catch (IOException | RuntimeException fault) {
            byte[] text = String.valueOf(fault.getMessage()).getBytes(UTF_8);
            keep(text, text.length);
        }
        ended = true;
        Heartbeat.remove(this);
        boolean served = ready.isDone();
        ready.completeExceptionally(new IOException(message()));
        channel.close();
        if (served) {
            onEnd.accept(message().isEmpty() ? "the connection has ended" : message());
        }
    }

    private synchronized void keep(byte[] bytes, int length) {
        messages.write(bytes, 0, Math.min(length, Math.max(0, MAX_MESSAGES - messages.size())));
    }

    private synchronized String message() {
        return messages.toString(UTF_8).strip();
    }

    /** Returns the options with which another ssh process uses this connection. */
    List<String> options() {
        return List.of("-S", socket.toString(), "-o", "ControlMaster=no");
    }

    /** Acquires a session; {@link #leave} releases it. */
    boolean enter() {
        return !ended && sessions.getAndUpdate(count -> Math.min(count + 1, MAX_SESSIONS)) < MAX_SESSIONS;
    }

    void leave() {
        sessions.decrementAndGet();
    }

    boolean hasEnded() {
        return ended;
    }

    /** Sends a byte for cat to echo, which shows ssh that the server is alive. */
    @Override
    public void beat() {
        try {
            channel.input().write('\n');
            channel.input().flush();
        } catch (IOException fault) {
            LOG.log(System.Logger.Level.DEBUG, "a connection that ends is noticed by its reader", fault);
        }
    }

    void close() {
        Heartbeat.remove(this);
        channel.close();
    }
}
