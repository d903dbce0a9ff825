package dev.paddock.executor.docker.source;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.github.dockerjava.api.exception.DockerException;
import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.docker.container.ContainerRemoval;
import dev.paddock.executor.docker.engine.Engine;
import dev.paddock.executor.docker.engine.Frames;
import dev.paddock.executor.docker.engine.HijackedConnection;
import dev.paddock.executor.log.LateLogger;
import dev.paddock.executor.os.io.DaemonThreads;
import dev.paddock.executor.process.warm.SocketHandover;
import dev.paddock.executor.process.warm.SocketPlan;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Opens sockets in a container's network namespace without a right over its processes: a second container, which the
 * engine starts in that namespace, opens, binds and sends them, and exits. It runs Paddock's own program and none of
 * its image's.
 */
final class SocketSidecar {
    private static final System.Logger LOG = LateLogger.of(SocketSidecar.class);
    private static final Duration START_TIMEOUT = Duration.ofSeconds(30);

    /** The program has one thread, but the engine needs more to start it, and may fail with a lower limit. */
    private static final int MAX_THREADS = 64;

    private static final Duration REMOVAL = Duration.ofSeconds(5);
    private static final String PROGRAM = "/.paddock-program";
    private static final String SOCKET = "/.paddock-socket";

    private final Engine engine;
    private final String image;
    private final Path files;

    /**
     * Creates a sidecar.
     *
     * @param image any image that the engine has
     * @param files path prefix of the program and its unix socket while it runs, in a directory that only this user can
     *     access
     */
    SocketSidecar(Engine engine, String image, Path files) {
        this.engine = engine;
        this.image = image;
        this.files = files;
    }

    /**
     * Opens the sockets.
     *
     * @param container the id of the running container
     * @return their descriptors, in the plan's order; the caller closes them
     * @throws IOException if the sidecar cannot be started, or cannot send them
     */
    List<Integer> open(String container, SocketPlan plan) throws IOException {
        try (SocketHandover handover = SocketHandover.prepare(files)) {
            String sidecar = create(container, handover);
            boolean done = false;
            try {
                List<Integer> taken = handover.take(plan, ask(sidecar, handover.request(plan, SOCKET)));
                done = true;
                return taken;
            } catch (DockerException refusal) {
                throw refused(refusal);
            } finally {
                if (!done) {
                    remove(sidecar);
                }
            }
        }
    }

    private String create(String container, SocketHandover handover) throws IOException {
        try {
            return engine.create("/containers/create", request(container, handover));
        } catch (DockerException refusal) {
            throw refused(refusal);
        }
    }

    private IOException refused(DockerException refusal) {
        return new IOException(
                "the container that opens the sockets of the network could not be started: "
                        + Engine.message(refusal) + ". Let the engine see " + files.getParent()
                        + " on a file system that allows execution, or set XDG_STATE_HOME to such a directory",
                refusal);
    }

    private ObjectNode request(String container, SocketHandover handover) {
        ObjectNode request = JsonNodeFactory.instance.objectNode();
        request.put("Image", image);
        request.putArray("Entrypoint").add(PROGRAM);
        request.put("User", "0:0").put("WorkingDir", "/");
        ManagedSettings.labels().forEach(request.putObject("Labels")::put);
        request.put("OpenStdin", true).put("StdinOnce", true);
        request.put("AttachStdin", true).put("AttachStdout", true).put("AttachStderr", true);
        request.putObject("Healthcheck").putArray("Test").add("NONE");
        ObjectNode host = request.putObject("HostConfig");
        host.put("NetworkMode", "container:" + container);
        host.putArray("CapDrop").add("ALL");
        host.putArray("CapAdd").add("NET_ADMIN").add("NET_BIND_SERVICE");
        // SELinux denies containers the host's sockets, and this one must use one.
        host.putArray("SecurityOpt").add("no-new-privileges").add("label=disable");
        host.put("ReadonlyRootfs", true).put("AutoRemove", true).put("PidsLimit", MAX_THREADS);
        host.putObject("LogConfig").put("Type", "none");
        ArrayNode mounts = host.putArray("Mounts");
        bind(mounts, handover.program(), PROGRAM, true);
        bind(mounts, handover.socket(), SOCKET, false);
        return request;
    }

    private static void bind(ArrayNode mounts, Path source, String target, boolean readOnly) {
        mounts.addObject()
                .put("Type", "bind")
                .put("Source", source.toString())
                .put("Target", target)
                .put("ReadOnly", readOnly);
    }

    /** Starts the sidecar and waits for its answer; it exits when its input ends. */
    private byte[] ask(String sidecar, byte[] question) throws IOException {
        try (HijackedConnection streams = HijackedConnection.attach(engine, sidecar)) {
            CompletableFuture<byte[]> answer = new CompletableFuture<>();
            DaemonThreads.virtual("paddock-docker-sidecar").start(() -> read(streams, answer));
            engine.call(client -> client.startContainerCmd(sidecar).exec());
            streams.output().write(question);
            streams.output().flush();
            byte[] answered = answer.get(START_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
            streams.endOutput();
            return answered;
        } catch (TimeoutException late) {
            throw new IOException(
                    "the container that opens the sockets has not answered within " + START_TIMEOUT.toSeconds() + " s",
                    late);
        } catch (ExecutionException fault) {
            throw fault.getCause() instanceof IOException known ? known : new IOException(fault.getCause());
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while the sockets of the network were opened", stopped);
        }
    }

    private static void read(HijackedConnection streams, CompletableFuture<byte[]> answer) {
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        try {
            new Frames(streams.input()).forEach((stream, bytes, length) -> {
                if (stream == 1 && said.size() < SocketHandover.ANSWER_BYTES) {
                    said.write(bytes, 0, length);
                }
                if (said.size() >= SocketHandover.ANSWER_BYTES) {
                    answer.complete(said.toByteArray());
                }
            });
            answer.completeExceptionally(new IOException("the container that opens the sockets exited at once"));
        } catch (IOException fault) {
            answer.completeExceptionally(fault);
        }
    }

    private void remove(String sidecar) {
        try {
            ContainerRemoval.of(engine, sidecar, REMOVAL);
        } catch (ExecutorException left) {
            LOG.log(System.Logger.Level.WARNING, left.getMessage());
        }
    }
}
