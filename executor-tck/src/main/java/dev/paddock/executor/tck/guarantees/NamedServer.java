package dev.paddock.executor.tck.guarantees;

import dev.paddock.executor.tck.subject.HostNames;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;

/** A server of this JVM on the loopback that commands reach by name if a rule allows it. */
final class NamedServer implements AutoCloseable {
    /** The text that {@link #greet} sends. */
    static final String GREETING = "hello from the allowed host";

    private static final int BACKLOG = 1024;

    private final String host;
    private final ServerSocket socket;
    private final Set<Socket> clients = ConcurrentHashMap.newKeySet();

    /** Serves one connection, which is closed afterwards. */
    @FunctionalInterface
    interface Handler {
        void serve(Socket client) throws Exception;
    }

    private NamedServer(String host, ServerSocket socket) {
        this.host = host;
        this.socket = socket;
    }

    /**
     * Starts a server.
     *
     * @param label the first part of its name
     */
    static NamedServer start(String label, Handler handler) throws IOException {
        return start(label, new ServerSocket(0, BACKLOG, InetAddress.getByAddress(new byte[] {127, 0, 0, 1})), handler);
    }

    /** Starts a server on a socket, which it closes. */
    static NamedServer start(String label, ServerSocket socket, Handler handler) {
        NamedServer server = new NamedServer(HostNames.require().give(label, "127.0.0.1"), socket);
        Thread.ofVirtual().name("named-server").start(() -> server.accept(handler));
        return server;
    }

    /** Sends a line. */
    static void greet(Socket client) throws IOException {
        send(client, GREETING + "\n");
    }

    static void send(Socket client, String text) throws IOException {
        client.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Reads one byte, which must come. */
    static void awaitByte(Socket client) throws IOException {
        InputStream in = client.getInputStream();
        if (in.read() < 0) {
            throw new IOException("the connection has ended");
        }
    }

    String host() {
        return host;
    }

    int port() {
        return socket.getLocalPort();
    }

    /** Returns the rule that allows it. */
    String rule() {
        return host + ":" + port() + "/private";
    }

    private void accept(Handler handler) {
        while (!socket.isClosed()) {
            try {
                Socket client = socket.accept();
                clients.add(client);
                Thread.ofVirtual().name("named-server-client").start(() -> serve(handler, client));
            } catch (IOException closed) {
                return;
            }
        }
    }

    private void serve(Handler handler, Socket client) {
        try (client) {
            handler.serve(client);
        } catch (Exception ended) {
            // Tests check the command's side, or catch the fault in their handler.
            clients.remove(client);
        }
    }

    /** Returns a handler whose connections are all open at once before the first is greeted. */
    static Handler together(int connections) {
        CountDownLatch open = new CountDownLatch(connections);
        return client -> {
            open.countDown();
            open.await();
            greet(client);
        };
    }

    @Override
    public void close() throws IOException {
        socket.close();
        for (Socket client : clients) {
            client.close();
        }
    }
}
