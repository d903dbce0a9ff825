package dev.paddock.executor.docker.engine;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;

/**
 * Carries the streams of a command or of a container's main process, on an HTTP connection that the engine has
 * upgraded. Output arrives in frames ({@link Frames}); input is sent unframed, and closing that direction ends the
 * command's input. docker-java's transports cannot close one direction alone.
 */
public final class HijackedConnection implements Closeable {
    /** The engine answers once the exec has started, which takes runc some time on a busy machine. */
    private static final Duration START_TIMEOUT = Duration.ofSeconds(30);

    private final EngineConnection connection;
    private volatile boolean closed;

    private HijackedConnection(EngineConnection connection) {
        this.connection = connection;
    }

    /** Starts a created exec and returns the connection to its streams. */
    static HijackedConnection startExec(EngineAddress address, String exec, boolean terminal) throws IOException {
        return open(address, "/exec/" + exec + "/start", "{\"Detach\":false,\"Tty\":" + terminal + "}");
    }

    /** Attaches to the streams of a container's main process, started or not. */
    public static HijackedConnection attach(Engine engine, String container) throws IOException {
        return open(engine.address(), "/containers/" + container + "/attach?stream=1&stdin=1&stdout=1&stderr=1", "");
    }

    private static HijackedConnection open(EngineAddress address, String path, String json) throws IOException {
        EngineConnection connection = address.connect();
        EngineTransport.Watchdog watchdog = EngineTransport.Watchdog.over(connection, START_TIMEOUT);
        try {
            HttpCall call = HttpCall.send(
                    connection,
                    address.host(),
                    "POST",
                    path,
                    Map.of("Content-Type", "application/json"),
                    json.getBytes(StandardCharsets.UTF_8),
                    true);
            if (call.status() != 101 && call.status() != 200) {
                String answer = new String(call.body().readNBytes(4096), StandardCharsets.UTF_8);
                throw new EngineRefusal(call.status(), Engine.message(answer));
            }
            watchdog.stop();
            return new HijackedConnection(connection);
        } catch (IOException fault) {
            connection.close();
            throw watchdog.explain(fault, "POST " + path, START_TIMEOUT);
        }
    }

    /** Returns the output, in {@link Frames}, or unframed for a terminal. */
    public InputStream input() {
        return connection.input();
    }

    public OutputStream output() {
        return connection.output();
    }

    /** Closes the direction to the engine: the process sees the end of its input. */
    public void endOutput() throws IOException {
        connection.endOutput();
    }

    /** Returns whether this side has closed the connection. */
    public boolean isClosed() {
        return closed;
    }

    @Override
    public void close() {
        closed = true;
        connection.close();
    }

    static final class EngineRefusal extends IOException {
        private static final long serialVersionUID = 1L;
        private final int status;

        EngineRefusal(int status, String message) {
            super("the engine answered " + status + ": " + message);
            this.status = status;
        }

        int status() {
            return status;
        }
    }
}
