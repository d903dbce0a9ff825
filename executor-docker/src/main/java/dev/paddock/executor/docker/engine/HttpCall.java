package dev.paddock.executor.docker.engine;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Sends one HTTP/1.1 request and reads the head of its response, in the engine's subset of the protocol. */
final class HttpCall {
    /** A longer head does not come from a Docker engine. */
    private static final int MAX_HEAD_BYTES = 64 << 10;

    private final int status;
    private final Map<String, List<String>> headers;
    private final InputStream body;

    private HttpCall(int status, Map<String, List<String>> headers, InputStream body) {
        this.status = status;
        this.headers = headers;
        this.body = body;
    }

    /**
     * Sends a request and waits for the head of the response.
     *
     * @param upgrade whether the connection becomes a command's stream
     */
    static HttpCall send(
            EngineConnection connection,
            String host,
            String method,
            String path,
            Map<String, String> headers,
            byte[] content,
            boolean upgrade)
            throws IOException {
        StringBuilder head = new StringBuilder(256);
        head.append(method)
                .append(' ')
                .append(path)
                .append(" HTTP/1.1\r\nHost: ")
                .append(host)
                .append("\r\n");
        headers.forEach(
                (name, value) -> head.append(name).append(": ").append(value).append("\r\n"));
        head.append(upgrade ? "Connection: Upgrade\r\nUpgrade: tcp\r\n" : "Connection: close\r\n");
        head.append("Content-Length: ").append(content.length).append("\r\n\r\n");
        ByteArrayOutputStream request = new ByteArrayOutputStream(head.length() + content.length);
        request.writeBytes(head.toString().getBytes(StandardCharsets.ISO_8859_1));
        request.writeBytes(content);
        connection.output().write(request.toByteArray());
        connection.output().flush();
        return receive(connection.input());
    }

    private static HttpCall receive(InputStream input) throws IOException {
        List<String> lines = head(input);
        String[] first = lines.getFirst().split(" ", 3);
        if (first.length < 2 || !first[0].startsWith("HTTP/1.") || !first[1].matches("\\d{3}")) {
            throw new IOException("the answer is not HTTP: '" + lines.getFirst() + "'");
        }
        Map<String, List<String>> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        for (String line : lines.subList(1, lines.size())) {
            int colon = line.indexOf(':');
            if (colon > 0) {
                headers.computeIfAbsent(line.substring(0, colon), name -> new ArrayList<>())
                        .add(line.substring(colon + 1).strip());
            }
        }
        int status = Integer.parseInt(first[1]);
        return new HttpCall(status, headers, HttpBody.of(input, status, headers));
    }

    /**
     * Reads byte by byte, since the bytes after the head belong to another reader. A head is short, and there is one
     * per connection.
     */
    private static List<String> head(InputStream input) throws IOException {
        ByteArrayOutputStream head = new ByteArrayOutputStream(512);
        int ends = 0;
        while (ends < 2) {
            int value = input.read();
            if (value < 0) {
                throw new IOException("the engine closed the connection before it answered");
            }
            head.write(value);
            if (head.size() > MAX_HEAD_BYTES) {
                throw new IOException("the answer is not HTTP: no end of its head in " + MAX_HEAD_BYTES + " bytes");
            }
            ends = value == '\n' ? ends + 1 : value == '\r' ? ends : 0;
        }
        return head.toString(StandardCharsets.ISO_8859_1)
                .lines()
                .filter(line -> !line.isEmpty())
                .toList();
    }

    int status() {
        return status;
    }

    Map<String, List<String>> headers() {
        return headers;
    }

    InputStream body() {
        return body;
    }
}
