package dev.paddock.executor.network.proxy;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.paddock.executor.policy.HostRule;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A request to a proxy: for a tunnel, or for a plain resource, the only one of its connection, since the next could be
 * for another host.
 *
 * @param host the host, canonical
 * @param forwarded the part that the host receives; empty for a tunnel
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record ProxyRequest(String host, int port, boolean isTunnel, byte[] forwarded) {
    private static final int MAX_HEAD_LENGTH = 1 << 16;
    private static final int HTTP_PORT = 80;
    private static final String END = "\r\n\r\n";
    private static final Pattern TUNNEL = Pattern.compile("CONNECT ([^ :]+):([0-9]{1,5}) HTTP/1\\.[01]");
    private static final Pattern PLAIN =
            Pattern.compile("([A-Z]+) (?i:http)://([^ /:?@]+)(?::([0-9]{1,5}))?([/?][^ ]*)? (HTTP/1\\.[01])");

    /** Reads a head byte by byte: the following bytes are the host's. */
    static final class Reader {
        private final ByteArrayOutputStream head = new ByteArrayOutputStream();
        private final InputStream in;

        Reader(int first, InputStream in) {
            head.write(first);
            this.in = in;
        }

        /** Returns the request; empty if it is none. */
        Optional<ProxyRequest> read() throws IOException {
            while (head.size() < MAX_HEAD_LENGTH) {
                int next = in.read();
                if (next < 0) {
                    return Optional.empty();
                }
                head.write(next);
                if (next == '\n' && head.toString(ISO_8859_1).endsWith(END)) {
                    return parse(head.toString(ISO_8859_1));
                }
            }
            return Optional.empty();
        }
    }

    private static Optional<ProxyRequest> parse(String head) {
        int end = head.indexOf("\r\n");
        String line = head.substring(0, end);
        Matcher tunnel = TUNNEL.matcher(line);
        if (tunnel.matches()) {
            return of(tunnel.group(1), Integer.parseInt(tunnel.group(2)), true, "");
        }
        Matcher plain = PLAIN.matcher(line);
        if (!plain.matches()) {
            return Optional.empty();
        }
        String path = plain.group(4) == null ? "/" : plain.group(4);
        String target = path.startsWith("/") ? path : "/" + path;
        StringBuilder forwarded = new StringBuilder(plain.group(1) + " " + target + " " + plain.group(5) + "\r\n");
        head.substring(end + 2, head.length() - 2)
                .lines()
                .filter(field -> !isOfThisConnection(field))
                .forEach(field -> forwarded.append(field).append("\r\n"));
        forwarded.append("Connection: close\r\n\r\n");
        int port = plain.group(3) == null ? HTTP_PORT : Integer.parseInt(plain.group(3));
        return of(plain.group(2), port, false, forwarded.toString());
    }

    private static boolean isOfThisConnection(String field) {
        String name = field.toLowerCase(Locale.ROOT);
        return name.startsWith("connection:") || name.startsWith("proxy-") || name.startsWith("keep-alive:");
    }

    private static Optional<ProxyRequest> of(String host, int port, boolean isTunnel, String forwarded) {
        return HostRule.canonical(host)
                .map(name -> new ProxyRequest(name, port, isTunnel, forwarded.getBytes(ISO_8859_1)));
    }
}
