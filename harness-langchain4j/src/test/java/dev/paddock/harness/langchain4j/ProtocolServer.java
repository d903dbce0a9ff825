package dev.paddock.harness.langchain4j;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A provider on this machine, over bare sockets: a test controls each byte of an answer, and the
 * connection.
 */
final class ProtocolServer implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final ServerSocket socket;
    private final BlockingQueue<Answer> answers = new ArrayBlockingQueue<>(100);
    private final List<Request> requests = new CopyOnWriteArrayList<>();
    private final List<Socket> connections = new CopyOnWriteArrayList<>();

    ProtocolServer() throws IOException {
        socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        thread(this::accept);
    }

    /** A received request. Header names are in lower case. */
    record Request(String path, Map<String, String> headers, JsonNode body) {}

    /** Writes the answer to a request. */
    interface Answer {
        void give(Request request, Reply reply) throws IOException;
    }

    /** Returns the base URL, without a path. */
    String url() {
        return "http://localhost:" + socket.getLocalPort();
    }

    /** Adds the answer to the next request. */
    ProtocolServer then(Answer answer) {
        answers.add(answer);
        return this;
    }

    List<Request> requests() {
        return requests;
    }

    private static void thread(Runnable task) {
        Thread thread = new Thread(task, "protocol-server");
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() {
        try {
            while (true) {
                Socket connection = socket.accept();
                connections.add(connection);
                thread(() -> serve(connection));
            }
        } catch (IOException closed) {
            return;
        }
    }

    private void serve(Socket connection) {
        try (connection) {
            InputStream in = new BufferedInputStream(connection.getInputStream());
            for (String first = line(in); !first.isEmpty(); first = line(in)) {
                Request request = read(first, in);
                requests.add(request);
                Reply reply = new Reply(connection, in);
                try {
                    answers.take().give(request, reply);
                } catch (RuntimeException fault) {
                    // A test's own mistake must not leave the client waiting.
                    reply.status(400, "", fault.toString());
                }
            }
        } catch (IOException clientWent) {
            return;
        } catch (InterruptedException unexpected) {
            throw new IllegalStateException(unexpected);
        }
    }

    private static Request read(String first, InputStream in) throws IOException {
        Map<String, String> headers = new TreeMap<>();
        for (String line = line(in); !line.isEmpty(); line = line(in)) {
            int colon = line.indexOf(':');
            headers.put(
                    line.substring(0, colon).toLowerCase(Locale.ROOT),
                    line.substring(colon + 1).strip());
        }
        byte[] body = in.readNBytes(Integer.parseInt(headers.getOrDefault("content-length", "0")));
        return new Request(first.split(" ", -1)[1], headers, JSON.readTree(body));
    }

    private static String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int next = in.read(); next >= 0 && next != '\n'; next = in.read()) {
            line.append((char) next);
        }
        return line.toString().strip();
    }

    @Override
    public void close() throws IOException {
        socket.close();
        for (Socket connection : connections) {
            connection.close();
        }
    }

    /** One answer while it is written. */
    static final class Reply {
        private final Socket connection;
        private final InputStream in;
        private final OutputStream out;
        final CompletableFuture<Boolean> closedByClient = new CompletableFuture<>();

        Reply(Socket connection, InputStream in) throws IOException {
            this.connection = connection;
            this.in = in;
            this.out = connection.getOutputStream();
            connection.setTcpNoDelay(true);
        }

        /** Writes a complete answer. */
        void status(int status, String headers, String body) throws IOException {
            byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
            raw("HTTP/1.1 " + status + " X\r\n" + headers + "Content-Length: " + bytes.length + "\r\n\r\n");
            out.write(bytes);
            out.flush();
        }

        /** Starts a stream. */
        Reply stream() throws IOException {
            raw("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n");
            return this;
        }

        /** Writes a part of the stream, in chunks of the given number of bytes. */
        Reply send(String text, int size) throws IOException {
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            for (int at = 0; at < bytes.length; at += size) {
                int length = Math.min(size, bytes.length - at);
                raw(Integer.toHexString(length) + "\r\n");
                out.write(bytes, at, length);
                raw("\r\n");
            }
            return this;
        }

        Reply send(String text) throws IOException {
            return send(text, Integer.MAX_VALUE / 2);
        }

        /** Ends the stream. */
        void end() throws IOException {
            raw("0\r\n\r\n");
        }

        /** Closes the connection, even if more data was announced. */
        void cut() throws IOException {
            connection.close();
        }

        /** Sends nothing more, and waits until the client closes the connection. */
        void untilClosed() {
            try {
                closedByClient.complete(in.read() < 0);
            } catch (SocketException reset) {
                closedByClient.complete(true);
            } catch (IOException fault) {
                throw new UncheckedIOException(fault);
            }
        }

        void raw(String text) throws IOException {
            out.write(text.getBytes(StandardCharsets.UTF_8));
            out.flush();
        }
    }
}
