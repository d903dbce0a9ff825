package dev.paddock.executor.docker.source;

import com.github.dockerjava.api.exception.DockerException;
import dev.paddock.executor.Availability;
import dev.paddock.executor.SandboxUnavailableException;
import dev.paddock.executor.docker.container.ContainerFilter;
import dev.paddock.executor.docker.engine.Engine;
import dev.paddock.executor.docker.engine.Frames;
import dev.paddock.executor.docker.engine.HijackedConnection;
import dev.paddock.executor.log.LateLogger;
import dev.paddock.executor.os.io.DaemonThreads;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Keeps a managed container alive. The container's main process waits until its input ends, that of a {@link
 * KeepAlivePipe} or of the attach connection; then it exits, and the kernel kills every other process of the container,
 * even a stopped one. This also ends a container in which a command has stopped the engine's own process, so that the
 * engine can neither inspect nor remove it.
 */
public final class KeepAliveAttach {
    private static final System.Logger LOG = LateLogger.of(KeepAliveAttach.class);
    private static final Duration START_TIMEOUT = Duration.ofSeconds(30);
    private static final byte[] END_LINE = "end\n".getBytes(StandardCharsets.US_ASCII);
    private static final int MAX_GREETING_LENGTH = 4096;

    private final Engine engine;
    private final String container;
    private final HijackedConnection connection;
    private final Optional<KeepAlivePipe> pipe;
    private final CompletableFuture<String> greeting = new CompletableFuture<>();
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private volatile long pid;
    private volatile boolean ending;

    private KeepAliveAttach(
            Engine engine, String container, HijackedConnection connection, Optional<KeepAlivePipe> pipe) {
        this.pipe = pipe;
        this.engine = engine;
        this.container = container;
        this.connection = connection;
    }

    /**
     * Starts a created container and waits until its main process runs.
     *
     * @param pipe the container's pipe; closed with this object
     * @throws IOException if the main process does not run within half a minute, or exits at once
     * @throws DockerException if the engine refuses to start it
     * @throws SandboxUnavailableException if the engine does not answer, or the container runs without its filter
     */
    static KeepAliveAttach start(
            Engine engine, String container, Optional<String> runtime, Optional<KeepAlivePipe> pipe)
            throws IOException, InterruptedException {
        KeepAliveAttach attach =
                new KeepAliveAttach(engine, container, HijackedConnection.attach(engine, container), pipe);
        DaemonThreads.virtual("paddock-docker-keep-alive").start(attach::listen);
        try {
            engine.call(client -> client.startContainerCmd(container).exec());
            String greeting = attach.greeting.get(START_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
            attach.pid = pid(greeting, runtime);
            return attach;
        } catch (TimeoutException late) {
            attach.close();
            throw new IOException("its main process did not start within " + START_TIMEOUT.toSeconds() + " s", late);
        } catch (ExecutionException fault) {
            attach.close();
            throw fault.getCause() instanceof IOException known ? known : new IOException(fault.getCause());
        } catch (RuntimeException | InterruptedException fault) {
            attach.close();
            throw fault;
        }
    }

    /**
     * Parses the process id from the main process's greeting.
     *
     * @throws SandboxUnavailableException if it does not run under its filter
     */
    public static long pid(String greeting, Optional<String> runtime) {
        String[] words = greeting.split(" ", -1);
        if (ContainerFilter.binds(runtime) && !words[words.length - 1].equals(ContainerFilter.ON)) {
            throw new SandboxUnavailableException(
                    Engine.BACKEND,
                    new Availability.Unusable(
                            "the engine has started the container without its system-call filter"
                                    + runtime.map(name -> ", by the runtime " + name)
                                            .orElse(", by its default runtime"),
                            "Name the runtime if it has a kernel of its own (runsc, kata); otherwise repair or replace"
                                    + " it."));
        }
        return Long.parseLong(words[1]);
    }

    private void listen() {
        StringBuilder said = new StringBuilder();
        try {
            new Frames(connection.input()).forEach((stream, bytes, length) -> {
                if (said.length() < MAX_GREETING_LENGTH) {
                    said.append(new String(bytes, 0, length, StandardCharsets.UTF_8));
                }
                if (stream == 1 && said.indexOf("\n") > 0 && said.indexOf("lease ") == 0) {
                    greeting.complete(said.substring(0, said.indexOf("\n")));
                }
            });
            ended.complete(null);
            greeting.completeExceptionally(new IOException("its main process exited at once: " + said));
        } catch (IOException fault) {
            ended.completeExceptionally(fault);
            greeting.completeExceptionally(fault);
        } finally {
            connection.close();
        }
    }

    String container() {
        return container;
    }

    /** Returns the main process's id in the container. */
    long pid() {
        return pid;
    }

    /** Returns whether the container may still run, as far as this connection shows. */
    boolean isOpen() {
        return !ending && !connection.isClosed();
    }

    /**
     * Ends the container, and with it every process inside.
     *
     * @param bound how long to wait for the end
     * @return whether the container has ended; false if unknown
     */
    boolean end(Duration bound) {
        try {
            endInput();
            // An engine that dies closes the connection too, while the container runs on.
            ended.thenRunAsync(this::requireEngine, DaemonThreads.virtual("paddock-docker-keep-alive")::start)
                    .get(bound.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (ExecutionException | TimeoutException unknown) {
            LOG.log(System.Logger.Level.DEBUG, "it is not known whether the container has ended", unknown);
            return false;
        } catch (InterruptedException interrupt) {
            Thread.currentThread().interrupt();
            return false;
        } finally {
            connection.close();
        }
    }

    private void endInput() {
        ending = true;
        pipe.ifPresent(KeepAlivePipe::close);
        try {
            connection.output().write(END_LINE);
            connection.endOutput();
        } catch (IOException closed) {
            LOG.log(System.Logger.Level.DEBUG, "the main process's input has ended before", closed);
        }
    }

    private void requireEngine() {
        engine.call(client -> client.pingCmd().exec());
    }

    /** Closes the connection, which ends the container, without waiting for its end. */
    void close() {
        ending = true;
        pipe.ifPresent(KeepAlivePipe::close);
        connection.close();
    }
}
