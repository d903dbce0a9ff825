package dev.paddock.executor.network;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.paddock.executor.policy.HostRule;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Copies HTTP requests of one connection, each of which must be for one host. Reads the grammar strictly: refuses what
 * two readers could understand in two ways.
 */
final class HttpRequests {
    private static final int MAX_HEAD_LENGTH = 1 << 16;
    private static final int BLOCK = 1 << 15;
    private static final int MAX_NUMBER_LENGTH = 18;
    private static final String TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
    private static final Pattern REQUEST = Pattern.compile("(" + TOKEN + ") ([!-~]+) HTTP/1\\.[01]");
    private static final Pattern FIELD = Pattern.compile("(" + TOKEN + "):[ \t]*(.*?)[ \t]*", Pattern.DOTALL);
    private static final Pattern CHUNK = Pattern.compile("([0-9A-Fa-f]{1,15})(?:[ \t]*;.*)?", Pattern.DOTALL);

    private final InputStream in;
    private final OutputStream out;
    private final String host;
    private final int port;

    /**
     * Creates a copy.
     *
     * @param in the client's bytes; buffered by the caller
     * @param out to the server
     * @param host the only host of requests
     */
    HttpRequests(InputStream in, OutputStream out, String host, int port) {
        this.in = in;
        this.out = out;
        this.host = host;
        this.port = port;
    }

    /** How a request's body ends. */
    private record Body(long length, boolean isChunked) {}

    /**
     * Reads the head of the next request and checks it.
     *
     * @return the head; empty at the end of the input
     * @throws RefusedException if the request is for another host, or its form is not strict
     */
    Optional<String> head() throws IOException {
        StringBuilder head = new StringBuilder();
        String line = line(true);
        while (line.equals("\r\n")) {
            line = line(true); // some clients end a body with an extra line
        }
        if (line.isEmpty()) {
            return Optional.empty();
        }
        while (!line.equals("\r\n")) {
            head.append(line);
            if (head.length() > MAX_HEAD_LENGTH) {
                throw new RefusedException("the head of its HTTP request is longer than " + MAX_HEAD_LENGTH + " bytes");
            }
            line = line(false);
        }
        String whole = head.append("\r\n").toString();
        check(whole);
        return Optional.of(whole);
    }

    /** Sends a head and copies the body that follows it. */
    void pass(String head) throws IOException {
        out.write(head.getBytes(ISO_8859_1));
        Body body = body(head);
        if (!body.isChunked()) {
            copy(body.length());
            return;
        }
        for (long size = chunk(); size > 0; size = chunk()) {
            copy(size);
            if (!forward(line(false)).equals("\r\n")) {
                throw ambiguous("a chunk");
            }
        }
        String trailer = forward(line(false));
        while (!trailer.equals("\r\n")) {
            trailer = forward(line(false));
        }
    }

    private String forward(String line) throws IOException {
        out.write(line.getBytes(ISO_8859_1));
        return line;
    }

    private long chunk() throws IOException {
        String line = line(false);
        Matcher size = CHUNK.matcher(line.strip());
        if (!size.matches()) {
            throw ambiguous("a chunk's length");
        }
        forward(line);
        return Long.parseLong(size.group(1), 16);
    }

    private void copy(long length) throws IOException {
        byte[] block = new byte[(int) Math.min(BLOCK, length)];
        for (long left = length; left > 0; ) {
            int count = in.read(block, 0, (int) Math.min(block.length, left));
            if (count < 0) {
                throw new EOFException("the request is cut off");
            }
            out.write(block, 0, count);
            left -= count;
        }
    }

    private void check(String head) throws RefusedException {
        String[] lines = head.split("\r\n", -1);
        Matcher request = REQUEST.matcher(lines[0]);
        if (!request.matches()
                || request.group(1).equals("CONNECT")
                || request.group(1).equals("PRI")) {
            throw new RefusedException("it is not an HTTP/1 request, which port 80 is for");
        }
        String target = request.group(2);
        if (target.toLowerCase(Locale.ROOT).startsWith("http://")) {
            requireHost(target.substring("http://".length()).replaceFirst("[/?].*", ""));
        } else if (!target.startsWith("/") && !target.equals("*")) {
            throw ambiguous("the request's target");
        }
        requireHost(only(head, "host").orElseThrow(() -> new RefusedException("its HTTP request names no host")));
        body(head);
    }

    private void requireHost(String named) throws RefusedException {
        String name = named.endsWith(":" + port) ? named.substring(0, named.length() - (":" + port).length()) : named;
        if (!HostRule.canonical(name).equals(Optional.of(host))) {
            throw new RefusedException(
                    "its HTTP request is for another host, '" + named.replaceAll("[^!-~]", "?") + "'");
        }
    }

    private static Body body(String head) throws RefusedException {
        Optional<String> length = only(head, "content-length");
        Optional<String> coding = only(head, "transfer-encoding");
        if (coding.isPresent()) {
            if (length.isPresent() || !coding.get().equalsIgnoreCase("chunked")) {
                throw ambiguous("the body's length");
            }
            return new Body(0, true);
        }
        if (length.isPresent() && !length.get().matches("[0-9]{1," + MAX_NUMBER_LENGTH + "}")) {
            throw ambiguous("the body's length");
        }
        return new Body(length.map(Long::parseLong).orElse(0L), false);
    }

    private static Optional<String> only(String head, String name) throws RefusedException {
        Optional<String> found = Optional.empty();
        String[] lines = head.split("\r\n", -1);
        int end = lines.length - 2; // the head ends with an empty line
        for (int index = 1; index < end; index++) {
            Matcher field = FIELD.matcher(lines[index]);
            if (!field.matches()) {
                throw ambiguous("a header");
            }
            if (field.group(1).equalsIgnoreCase(name)) {
                if (found.isPresent()) {
                    throw ambiguous("a header that occurs twice, " + name + ",");
                }
                found = Optional.of(field.group(2));
            }
        }
        return found;
    }

    private static RefusedException ambiguous(String part) {
        return new RefusedException(part + " of its HTTP request can be read in more than one way");
    }

    /** Returns the next line with its end; empty at the end of the input, where that is allowed. */
    private String line(boolean mayEnd) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        while (line.size() <= MAX_HEAD_LENGTH) {
            int next = in.read();
            if (next < 0) {
                if (mayEnd && line.size() == 0) {
                    return "";
                }
                throw new EOFException("the request is cut off");
            }
            line.write(next);
            if (next == '\r') {
                next = in.read();
                if (next != '\n') {
                    throw ambiguous("the end of a line");
                }
                line.write(next);
                return line.toString(ISO_8859_1);
            }
            if (next == '\n' || next == 0) {
                throw ambiguous("the end of a line");
            }
        }
        throw new RefusedException("a line of its HTTP request is longer than " + MAX_HEAD_LENGTH + " bytes");
    }
}
