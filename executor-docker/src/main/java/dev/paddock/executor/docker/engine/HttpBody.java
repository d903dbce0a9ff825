package dev.paddock.executor.docker.engine;

import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;

/**
 * Reads the body of a response: chunked, of a known length, or up to the end of the connection.
 */
final class HttpBody extends FilterInputStream {
    private final boolean chunked;
    private long remaining;
    private boolean ended;

    private HttpBody(InputStream input, boolean chunked, long length) {
        super(input);
        this.chunked = chunked;
        this.remaining = length;
    }

    static InputStream of(InputStream input, int status, Map<String, List<String>> headers) throws IOException {
        List<String> encodings = headers.getOrDefault("Transfer-Encoding", List.of());
        if (encodings.stream().anyMatch("chunked"::equalsIgnoreCase)) {
            return new HttpBody(input, true, 0);
        }
        List<String> lengths = headers.getOrDefault("Content-Length", List.of());
        if (!lengths.isEmpty()) {
            return new HttpBody(input, false, length(lengths.getFirst(), 10));
        }
        return status == 204 || status == 304 ? InputStream.nullInputStream() : input;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        if (remaining == 0 && (!chunked || !nextChunk())) {
            return -1;
        }
        int count = in.read(bytes, offset, (int) Math.min(length, remaining));
        if (count < 0) {
            throw new EOFException("the engine closed the connection in the middle of its answer");
        }
        remaining -= count;
        if (chunked && remaining == 0) {
            line();
        }
        return count;
    }

    private boolean nextChunk() throws IOException {
        if (ended) {
            return false;
        }
        String size = line();
        int extension = size.indexOf(';');
        remaining = length(extension < 0 ? size : size.substring(0, extension), 16);
        if (remaining > 0) {
            return true;
        }
        line();
        ended = true;
        return false;
    }

    private String line() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int value = in.read(); value != '\n'; value = in.read()) {
            if (value < 0) {
                throw new EOFException("the engine closed the connection in the middle of its answer");
            }
            if (value != '\r') {
                line.append((char) value);
            }
        }
        return line.toString();
    }

    private static long length(String text, int radix) throws IOException {
        try {
            return Long.parseLong(text.strip(), radix);
        } catch (NumberFormatException fault) {
            throw new IOException("the answer is not HTTP: a length of '" + text + "'", fault);
        }
    }

    @Override
    public int available() throws IOException {
        return (int) Math.min(in.available(), remaining);
    }

    @Override
    public boolean markSupported() {
        return false;
    }
}
