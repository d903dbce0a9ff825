package dev.paddock.executor.network.proxy;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.paddock.executor.log.LateLogger;
import dev.paddock.executor.os.io.DaemonThreads;
import dev.paddock.executor.policy.HostRule;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.SocketChannel;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;

/**
 * A proxy inside the sandbox: HTTP, {@code CONNECT} and SOCKS5 with names. The target decides and connects, as for a
 * program that connects by itself.
 */
public final class OfferedProxy {
    /** The port inside a network namespace of the commands' own. */
    public static final int PORT = 3128;

    private static final System.Logger LOG = LateLogger.of(OfferedProxy.class);
    private static final int MAX_BEGINNING_LENGTH = 256;
    private static final int PATIENCE_MILLIS = 30_000;
    private static final int SOCKS = 5;

    private final ProxyTarget target;
    private final String allowed;
    private final Semaphore beginning = new Semaphore(MAX_BEGINNING_LENGTH);

    /**
     * Creates a proxy, which {@link #accepted} serves.
     *
     * @param target decides and connects
     * @param allowed the allowed hosts, for people
     */
    public OfferedProxy(ProxyTarget target, String allowed) {
        this.target = target;
        this.allowed = allowed;
    }

    /**
     * Returns the variables that name a proxy.
     *
     * @param address {@code HOST:PORT}
     * @return names and values
     */
    public static Map<String, String> variables(String address) {
        String http = "http://" + address;
        String socks = "socks5h://" + address;
        String direct = "localhost,127.0.0.1,::1";
        return Map.of(
                "HTTP_PROXY", http,
                "http_proxy", http,
                "HTTPS_PROXY", http,
                "https_proxy", http,
                "ALL_PROXY", socks,
                "all_proxy", socks,
                "NO_PROXY", direct,
                "no_proxy", direct);
    }

    public void accepted(SocketChannel inner) {
        if (!beginning.tryAcquire()) {
            target.abort(inner);
            return;
        }
        DaemonThreads.virtual("paddock-proxy").start(() -> {
            try {
                inner.socket().setSoTimeout(PATIENCE_MILLIS);
                InputStream in = inner.socket().getInputStream();
                int first = in.read();
                if (first == SOCKS) {
                    socks(inner, in);
                } else if (first >= 0) {
                    http(inner, new ProxyRequest.Reader(first, in));
                } else {
                    inner.close();
                }
            } catch (IOException fault) {
                LOG.log(System.Logger.Level.DEBUG, "A request to the proxy has failed", fault);
                target.abort(inner);
            } finally {
                beginning.release();
            }
        });
    }

    private void http(SocketChannel inner, ProxyRequest.Reader reader) throws IOException {
        OutputStream out = inner.socket().getOutputStream();
        Optional<ProxyRequest> read = reader.read();
        if (read.isEmpty()) {
            answer(inner, out, "400 Bad Request", "This is a proxy for HTTP, CONNECT and SOCKS5.\n");
            return;
        }
        ProxyRequest request = read.get();
        if (!target.allows(request.host(), request.port())) {
            answer(
                    inner,
                    out,
                    "403 Forbidden",
                    request.host() + ":" + request.port() + " is not allowed by the sandbox's network policy. Allowed: "
                            + allowed + ".\n");
            return;
        }
        if (request.isTunnel()) {
            out.write("HTTP/1.1 200 Connection established\r\n\r\n".getBytes(ISO_8859_1));
        }
        target.begin(inner, request.host(), request.port(), request.forwarded());
    }

    private static void answer(SocketChannel inner, OutputStream out, String status, String text) throws IOException {
        out.write(("HTTP/1.1 " + status + "\r\nContent-Type: text/plain\r\nConnection: close\r\nContent-Length: "
                        + text.length() + "\r\n\r\n" + text)
                .getBytes(ISO_8859_1));
        inner.shutdownOutput();
        inner.socket().getInputStream().readNBytes(1); // a reset would overtake the answer
        inner.close();
    }

    private void socks(SocketChannel inner, InputStream in) throws IOException {
        OutputStream out = inner.socket().getOutputStream();
        exactly(in, exactly(in, 1)[0] & 0xff); // the authentication methods; only "none" is used
        out.write(new byte[] {SOCKS, 0});
        byte[] request = exactly(in, 4);
        boolean isName = request[3] == 3;
        int length = isName ? exactly(in, 1)[0] & 0xff : request[3] == 1 ? 4 : 16;
        byte[] name = exactly(in, length);
        byte[] port = exactly(in, 2);
        int number = ((port[0] & 0xff) << 8) | (port[1] & 0xff);
        Optional<String> host = isName ? HostRule.canonical(new String(name, ISO_8859_1)) : Optional.empty();
        boolean isConnect = request[1] == 1;
        boolean isAllowed = isConnect && host.isPresent() && target.allows(host.get(), number);
        int code = isAllowed ? 0 : isConnect ? 2 : 7;
        out.write(new byte[] {SOCKS, (byte) code, 0, 1, 0, 0, 0, 0, 0, 0});
        if (isAllowed) {
            target.begin(inner, host.orElseThrow(), number, new byte[0]);
        } else {
            inner.close();
        }
    }

    private static byte[] exactly(InputStream in, int count) throws IOException {
        byte[] bytes = in.readNBytes(count);
        if (bytes.length < count) {
            throw new IOException("the request is cut off");
        }
        return bytes;
    }
}
