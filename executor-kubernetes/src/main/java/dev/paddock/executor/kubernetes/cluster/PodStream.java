package dev.paddock.executor.kubernetes.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.paddock.executor.SandboxLostException;
import dev.paddock.executor.log.LateLogger;
import dev.paddock.executor.remote.ShellChannel;
import io.fabric8.kubernetes.client.http.WebSocket;
import io.fabric8.kubernetes.client.http.WebSocketHandshakeException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A process in a pod, connected by a WebSocket of the API server's exec or attach call, version 4 of its protocol: the
 * first byte of each message names the stream. The protocol cannot half-close stdin.
 */
public final class PodStream implements ShellChannel {
    private static final System.Logger LOG = LateLogger.of(PodStream.class);
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String PROTOCOL = "v4.channel.k8s.io";
    private static final long OPEN_SECONDS = 10;
    private static final int STATUS = 3;
    private static final int RESIZE = 4;
    private static final int MAX_MESSAGE_BYTES = 64 << 10;
    private static final long SENT_PARK_NANOS = 20_000;

    private final String what;
    private final BlockingQueue<Piece> pieces = new LinkedBlockingQueue<>();
    private final ReentrantLock writing = new ReentrantLock();
    private final OutputStream input = new Input();
    private volatile @Nullable WebSocket socket;
    private volatile @Nullable Integer code;
    private volatile boolean closed;

    /** A message, or the end of the stream. */
    private sealed interface Piece {
        record Message(WebSocket from, ByteBuffer bytes) implements Piece {}

        record End(@Nullable IOException fault) implements Piece {}
    }

    private PodStream(String what) {
        this.what = what;
    }

    /**
     * Starts a process in a container of a pod.
     *
     * @throws SandboxLostException if the pod or the container does not exist, or does not run
     * @throws dev.paddock.executor.SandboxUnavailableException if the API server does not answer, or
     *     refuses
     */
    static PodStream exec(Cluster cluster, PodName pod, List<String> argv, boolean terminal) {
        StringBuilder query = new StringBuilder("exec?container=").append(encode(pod.container()));
        query.append("&stdin=true&stdout=true&stderr=")
                .append(!terminal)
                .append("&tty=")
                .append(terminal);
        argv.forEach(word -> query.append("&command=").append(encode(word)));
        return open(cluster, pod, query.toString(), "exec");
    }

    /** Connects to the main process of a container, as {@link #exec} does to another. */
    static PodStream attach(Cluster cluster, PodName pod) {
        return open(
                cluster,
                pod,
                "attach?stdin=true&stdout=true&stderr=true&container=" + encode(pod.container()),
                "attach");
    }

    private static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    private static PodStream open(Cluster cluster, PodName pod, String query, String verb) {
        PodStream stream = new PodStream(pod.toString());
        String base = cluster.where().endsWith("/") ? cluster.where() : cluster.where() + "/";
        URI uri = URI.create(
                base + "api/v1/namespaces/" + encode(pod.namespace()) + "/pods/" + encode(pod.pod()) + "/" + query);
        try {
            stream.socket = cluster.client()
                    .getHttpClient()
                    .newWebSocketBuilder()
                    .uri(uri)
                    .subprotocol(PROTOCOL)
                    .connectTimeout(OPEN_SECONDS, TimeUnit.SECONDS)
                    .buildAsync(stream.new Listener())
                    .get(OPEN_SECONDS, TimeUnit.SECONDS);
            return stream;
        } catch (ExecutionException fault) {
            throw refusal(cluster, pod, verb, fault.getCause() == null ? fault : fault.getCause());
        } catch (TimeoutException silence) {
            throw new SandboxLostException(
                    Cluster.BACKEND, pod + " started no process within " + OPEN_SECONDS + " s", silence);
        } catch (InterruptedException interrupt) {
            Thread.currentThread().interrupt();
            throw new SandboxLostException(
                    Cluster.BACKEND, "interrupted while a process was started in " + pod, interrupt);
        }
    }

    private static RuntimeException refusal(Cluster cluster, PodName pod, String verb, Throwable fault) {
        if (!(fault instanceof WebSocketHandshakeException handshake)) {
            return Refusals.unreachable(cluster, fault);
        }
        int status = handshake.getResponse().code();
        return Refusals.of(cluster, status, verb, pod, handshake);
    }

    @Override
    public OutputStream input() {
        return input;
    }

    /** Closes the whole connection: the protocol cannot half-close. */
    @Override
    public void endInput() {
        close();
    }

    @Override
    public void deliver(Output output) throws IOException {
        while (true) {
            Piece piece;
            try {
                piece = pieces.take();
            } catch (InterruptedException interrupt) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted while reading from " + what, interrupt);
            }
            switch (piece) {
                case Piece.Message message -> {
                    deliver(message.bytes().array(), output);
                    message.from().request();
                }
                case Piece.End end -> {
                    if (end.fault() != null) {
                        throw end.fault();
                    }
                    return;
                }
            }
        }
    }

    private void deliver(byte[] message, Output output) throws IOException {
        int stream = message.length == 0 ? 0 : message[0];
        if (stream == STATUS) {
            readStatus(message);
        } else if (message.length > 1 && (stream == STDOUT || stream == STDERR)) {
            byte[] bytes = new byte[message.length - 1];
            System.arraycopy(message, 1, bytes, 0, bytes.length);
            output.accept(stream, bytes, bytes.length);
        }
    }

    private void readStatus(byte[] message) throws IOException {
        JsonNode status = JSON.readTree(message, 1, message.length - 1);
        if (status.path("status").asText().equals("Success")) {
            code = 0;
            return;
        }
        for (JsonNode cause : status.path("details").path("causes")) {
            if (cause.path("reason").asText().equals("ExitCode")) {
                code = cause.path("message").asInt() & 0xff;
                return;
            }
        }
        LOG.log(System.Logger.Level.DEBUG, "{0} ended a process: {1}", what, status);
    }

    /** True: the HTTP client's threads read the socket. */
    @Override
    public boolean isReadElsewhere() {
        return true;
    }

    /** Sends the size; the cluster does not confirm it. */
    @Override
    public boolean resize(int columns, int rows) {
        try {
            send(RESIZE, ("{\"Width\":" + columns + ",\"Height\":" + rows + "}").getBytes(StandardCharsets.US_ASCII));
            return true;
        } catch (IOException ended) {
            LOG.log(System.Logger.Level.DEBUG, "a terminal was not resized", ended);
            return false;
        }
    }

    @Override
    public OptionalInt exitCode() {
        Integer known = code;
        return known == null ? OptionalInt.empty() : OptionalInt.of(known);
    }

    @Override
    public SandboxLostException loss(String reason, Throwable cause) {
        return new SandboxLostException(Cluster.BACKEND, reason, cause);
    }

    private void send(int stream, byte[] bytes) throws IOException {
        send(stream, bytes, 0, bytes.length);
    }

    /**
     * Sends one message after the previous one is sent: the JDK's client refuses a second one, and a client with a
     * queue would buffer everything that a stopped process does not read.
     */
    private void send(int stream, byte[] bytes, int offset, int length) throws IOException {
        writing.lock();
        try {
            ByteBuffer message = ByteBuffer.allocate(length + 1);
            message.put((byte) stream).put(bytes, offset, length).flip();
            awaitSent();
            WebSocket to = socket;
            if (to == null || !to.send(message)) {
                throw new IOException("the connection to " + what + " is closed");
            }
        } finally {
            writing.unlock();
        }
    }

    private void awaitSent() throws IOException {
        WebSocket to = socket;
        while (to != null && to.queueSize() > 0) {
            if (closed) {
                throw new IOException("the connection to " + what + " is closed");
            }
            LockSupport.parkNanos(SENT_PARK_NANOS);
        }
        if (closed) {
            throw new IOException("the connection to " + what + " is closed");
        }
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            WebSocket to = socket;
            if (to != null) {
                to.sendClose(1000, "");
            }
            pieces.add(new Piece.End(new IOException("the connection to " + what + " was closed")));
        }
    }

    private void end(@Nullable IOException fault) {
        closed = true;
        pieces.add(new Piece.End(fault));
    }

    private final class Input extends OutputStream {
        @Override
        public void write(int value) throws IOException {
            write(new byte[] {(byte) value}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            for (int from = offset; from < offset + length; from += MAX_MESSAGE_BYTES) {
                send(0, bytes, from, Math.min(MAX_MESSAGE_BYTES, offset + length - from));
            }
        }
    }

    /** Forwards messages; requests the next one after delivery (backpressure). */
    private final class Listener implements WebSocket.Listener {
        @Override
        public void onMessage(WebSocket from, ByteBuffer buffer) {
            byte[] bytes = new byte[buffer.remaining()];
            buffer.get(bytes);
            pieces.add(new Piece.Message(from, ByteBuffer.wrap(bytes)));
        }

        @Override
        public void onMessage(WebSocket from, String text) {
            from.request();
        }

        @Override
        public void onClose(WebSocket from, int status, String reason) {
            end(null);
        }

        @Override
        public void onError(WebSocket from, Throwable fault) {
            end(new IOException("the connection to " + what + " failed: " + Cluster.cause(fault), fault));
        }
    }
}
