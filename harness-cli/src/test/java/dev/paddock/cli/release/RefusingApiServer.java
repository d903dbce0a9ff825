package dev.paddock.cli.release;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Answers each request as the API server of a cluster whose account may do nothing. */
final class RefusingApiServer implements AutoCloseable {
    private final HttpServer server;
    private final Queue<String> requests = new ConcurrentLinkedQueue<>();

    private RefusingApiServer(HttpServer server) {
        this.server = server;
    }

    /** Starts on a free port of this machine; the caller closes it. */
    static RefusingApiServer start() throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        RefusingApiServer refusing = new RefusingApiServer(server);
        server.createContext("/", refusing::refuse);
        server.start();
        return refusing;
    }

    /** Returns a user's configuration of kubectl for it. */
    String configuration() {
        return """
                clusters: [{name: a, cluster: {server: "http://127.0.0.1:%d"}}]
                users: [{name: a, user: {token: a}}]
                contexts: [{name: a, context: {cluster: a, user: a, namespace: a}}]
                current-context: a
                """.formatted(server.getAddress().getPort());
    }

    /** Returns the method and the body of each request so far. */
    Queue<String> requests() {
        return requests;
    }

    private void refuse(HttpExchange exchange) throws IOException {
        requests.add(exchange.getRequestMethod() + " "
                + new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
        byte[] answer = """
                {"kind": "Status", "apiVersion": "v1", "status": "Failure", "reason": "Forbidden", "code": 403}""".getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().add("Content-Type", "application/json");
        exchange.sendResponseHeaders(403, answer.length);
        exchange.getResponseBody().write(answer);
        exchange.close();
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
