package dev.paddock.cli;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Runs a program against a stub of a Docker engine: it answers on a socket like an engine in whose
 * containers every command succeeds at once. It makes no container and runs nothing in one. The
 * launcher's build starts it from this source, so it uses the JDK only.
 */
final class EngineStub implements Closeable {
    private static final Pattern LENGTH = Pattern.compile("(?i)\r\nContent-Length: *(\\d+)");
    private static final Pattern MARK = Pattern.compile("__p_mark='((?:\\\\\\d+)+)'");
    private static final int OUT = 1;
    private static final int ERR = 2;

    private final Path socket;
    private final ServerSocketChannel server;
    private final List<String> calls = new CopyOnWriteArrayList<>();

    private EngineStub(Path socket, ServerSocketChannel server) {
        this.socket = socket;
        this.server = server;
    }

    /**
     * Runs a program, and exits with its exit code.
     *
     * @param command the program and its arguments
     */
    public static void main(String[] command) throws IOException, InterruptedException {
        Path directory = Files.createTempDirectory("paddock-training-");
        int exitCode;
        try (EngineStub engine = EngineStub.at(directory.resolve("engine"))) {
            ProcessBuilder builder = new ProcessBuilder(command).inheritIO();
            builder.environment().put("DOCKER_HOST", engine.address());
            builder.environment().put("DOCKER_TLS_VERIFY", "0");
            exitCode = builder.start().waitFor();
        } finally {
            Files.deleteIfExists(directory);
        }
        System.exit(exitCode);
    }

    /** Listens at a path that does not exist yet. */
    static EngineStub at(Path socket) throws IOException {
        ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        try {
            server.bind(UnixDomainSocketAddress.of(socket));
        } catch (IOException fault) {
            server.close();
            throw fault;
        }
        EngineStub engine = new EngineStub(socket, server);
        start(engine::accept);
        return engine;
    }

    /** Returns the address in the format of {@code DOCKER_HOST}. */
    String address() {
        return "unix://" + socket;
    }

    /** Returns the method and the path of each call so far, without the version. */
    List<String> calls() {
        return List.copyOf(calls);
    }

    private static void start(Runnable action) {
        Thread.ofPlatform().daemon().start(action);
    }

    private void accept() {
        try {
            while (true) {
                SocketChannel client = server.accept();
                start(() -> serve(client));
            }
        } catch (IOException closed) {
            // the expected end
        }
    }

    private void serve(SocketChannel client) {
        try (client) {
            InputStream input = Channels.newInputStream(client);
            OutputStream output = Channels.newOutputStream(client);
            String head = readTo("\r\n\r\n", input);
            Matcher length = LENGTH.matcher(head);
            input.readNBytes(length.find() ? Integer.parseInt(length.group(1)) : 0);
            String call = head.substring(0, head.indexOf(" HTTP/"))
                    .replaceFirst("\\?.*", "")
                    .replaceFirst("/v1\\.\\d+/", "/");
            calls.add(call);
            answer(call, input, output);
            input.transferTo(OutputStream.nullOutputStream()); // until the client closes
        } catch (IOException gone) {
            // the client has closed the connection
        }
    }

    private static void answer(String what, InputStream input, OutputStream output) throws IOException {
        if (what.equals("GET /info")) {
            json(
                    output,
                    "{\"SecurityOptions\":[\"name=seccomp\"],\"Architecture\":\"x86_64\",\"NCPU\":2,\"MemTotal\":8000000000}");
        } else if (what.equals("GET /version")) {
            json(output, "{\"Version\":\"0\",\"Components\":[{\"Name\":\"Engine\",\"Version\":\"0\"}]}");
        } else if (what.startsWith("GET /images/")) {
            json(output, "{\"Id\":\"sha256:0\",\"Size\":1,\"Config\":{\"User\":\"\",\"Env\":null,\"Tty\":false}}");
        } else if (what.equals("GET /containers/json")) {
            json(output, "[]");
        } else if (what.equals("POST /containers/create") || what.endsWith("/exec")) {
            json(output, "{\"Id\":\"0123456789abcdef\"}");
        } else if (what.endsWith("/attach")) {
            upgrade(output);
            frame(output, OUT, "lease 7 2\n");
        } else if (what.startsWith("POST /exec/")) {
            upgrade(output);
            shell(input, output);
        } else if (what.endsWith("/archive")) {
            send(output, "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"); // the image has no list of users
        } else if (what.equals("GET /events")) {
            send(output, "HTTP/1.1 200 OK\r\n\r\n");
        } else {
            send(output, "HTTP/1.1 204 No Content\r\n\r\n");
        }
    }

    /**
     * Answers as one of the executor's two programs in the container: the one that delivers
     * signals, or the stub that runs a command.
     */
    private static void shell(InputStream input, OutputStream output) throws IOException {
        if (!readTo("\n.\n", input).contains("echo \"slot ")) {
            frame(output, OUT, "control 9\n");
            return;
        }
        frame(output, OUT, "slot 12 11\n");
        Matcher mark = MARK.matcher(readTo("\n", input));
        if (mark.find()) {
            String end = unescape(mark.group(1)) + "0 0\n";
            frame(output, OUT, "ready 13\n" + end);
            frame(output, ERR, end);
        }
    }

    /** Decodes bytes from the octal format of {@code printf}. */
    private static String unescape(String octal) {
        StringBuilder text = new StringBuilder();
        for (String number : octal.substring(1).split("\\\\", -1)) {
            text.append((char) Integer.parseInt(number, 8));
        }
        return text.toString();
    }

    private static void json(OutputStream output, String body) throws IOException {
        send(output, "HTTP/1.1 200 OK\r\nContent-Length: " + body.length() + "\r\n\r\n" + body);
    }

    private static void upgrade(OutputStream output) throws IOException {
        send(output, "HTTP/1.1 101 UPGRADED\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n\r\n");
    }

    private static void frame(OutputStream output, int stream, String text) throws IOException {
        send(output, new String(new char[] {(char) stream, 0, 0, 0, 0, 0, 0, (char) text.length()}) + text);
    }

    private static void send(OutputStream output, String bytes) throws IOException {
        output.write(bytes.getBytes(ISO_8859_1));
    }

    private static String readTo(String end, InputStream input) throws IOException {
        ByteArrayOutputStream read = new ByteArrayOutputStream();
        String text = "";
        while (!text.endsWith(end)) {
            int value = input.read();
            if (value < 0) {
                throw new EOFException();
            }
            read.write(value);
            text = value == end.charAt(end.length() - 1) ? read.toString(ISO_8859_1) : "";
        }
        return text;
    }

    @Override
    public void close() throws IOException {
        server.close();
        Files.deleteIfExists(socket);
    }
}
