package dev.paddock.executor.network.proxy;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.paddock.executor.policy.NetworkPolicy;
import dev.paddock.executor.process.launch.HostEnvironment;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.net.UnknownHostException;
import java.nio.channels.SocketChannel;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * The proxy of the host's environment, through which allowed hosts are reached where the policy requires it. It
 * resolves their names.
 *
 * @param host the proxy's name
 * @param login the value of {@code Proxy-Authorization}, if it needs one
 * @param direct the hosts that are reached without it, as in {@code NO_PROXY}
 */
public record HostProxy(String host, int port, Optional<String> login, List<String> direct) {
    private static final int DEFAULT_PORT = 80;
    private static final int MAX_ANSWER_LENGTH = 1 << 14;
    private static final int PATIENCE_MILLIS = 30_000;
    private static final String END = "\r\n\r\n";

    /** Hides the login. */
    @Override
    public String toString() {
        return host + ":" + port;
    }

    /**
     * Returns the proxy that this JVM's environment names.
     *
     * @throws IllegalArgumentException if it names none, or an unusable one; the message gives the reason and the
     *     remedy, and no password
     */
    public static HostProxy ofEnvironment() {
        return of(HostEnvironment.all());
    }

    /**
     * Returns why a policy's hosts cannot be reached through the host's proxy.
     *
     * @return the reason; empty if they can, or if the policy needs no proxy
     */
    public static Optional<String> obstacle(NetworkPolicy.Allow policy) {
        try {
            return policy.isThroughHostProxy() && ofEnvironment().host().isEmpty()
                    ? Optional.of("the proxy has no name")
                    : Optional.empty();
        } catch (IllegalArgumentException unusable) {
            return Optional.of(String.valueOf(unusable.getMessage()));
        }
    }

    /**
     * Returns the proxy that an environment names.
     *
     * @param environment the variables
     * @throws IllegalArgumentException as {@link #ofEnvironment} does
     */
    public static HostProxy of(Map<String, String> environment) {
        String text = variable(environment, "HTTPS_PROXY")
                .orElseThrow(() -> new IllegalArgumentException("HTTPS_PROXY is not set"));
        URI proxy = parse(text.contains("://") ? text : "http://" + text);
        Optional<String> login = Optional.ofNullable(proxy.getRawUserInfo())
                .map(user -> URLDecoder.decode(user.replace("+", "%2B"), UTF_8))
                .map(user -> "Basic " + Base64.getEncoder().encodeToString(user.getBytes(UTF_8)));
        return new HostProxy(
                proxy.getHost(),
                proxy.getPort() < 0 ? DEFAULT_PORT : proxy.getPort(),
                login,
                variable(environment, "NO_PROXY").stream()
                        .flatMap(list -> Stream.of(list.split(",", -1)))
                        .map(name -> name.strip().toLowerCase(Locale.ROOT).replaceFirst("^\\*?\\.", ""))
                        .filter(name -> !name.isEmpty())
                        .toList());
    }

    private static Optional<String> variable(Map<String, String> environment, String name) {
        return Stream.of(name, name.toLowerCase(Locale.ROOT))
                .flatMap(each -> Optional.ofNullable(environment.get(each)).stream())
                .filter(value -> !value.isBlank())
                .findFirst();
    }

    private static URI parse(String text) {
        try {
            URI proxy = new URI(text);
            if ("http".equals(proxy.getScheme()) && proxy.getHost() != null) {
                return proxy;
            }
        } catch (URISyntaxException malformed) {
            // reported below, without the text: it may contain a password
        }
        throw new IllegalArgumentException("HTTPS_PROXY is not of the form http://host:port");
    }

    /**
     * Returns whether a host is reached without the proxy.
     *
     * @param name the host, canonical
     * @return whether {@code NO_PROXY} names it
     */
    public boolean isDirect(String name) {
        return direct.stream().anyMatch(each -> each.equals("*") || name.equals(each) || name.endsWith("." + each));
    }

    /**
     * Connects to a host through the proxy.
     *
     * @param name the host
     * @param toPort its port
     * @param connectMillis how long the connection to the proxy may take
     * @param dialling receives the channel before it connects
     * @return the connection; the caller closes it
     * @throws IOException if the proxy cannot be reached, or refuses
     */
    public SocketChannel dial(String name, int toPort, int connectMillis, Consumer<SocketChannel> dialling)
            throws IOException {
        SocketChannel channel = SocketChannel.open();
        dialling.accept(channel);
        boolean done = false;
        try {
            InetSocketAddress address = new InetSocketAddress(host, port);
            if (address.isUnresolved()) {
                throw new UnknownHostException("the name of the proxy " + this + " cannot be resolved on the host");
            }
            channel.socket().connect(address, connectMillis);
            channel.socket().setSoTimeout(PATIENCE_MILLIS);
            String authority = name + ":" + toPort;
            String request = "CONNECT " + authority + " HTTP/1.1\r\nHost: " + authority + "\r\n"
                    + login.map(value -> "Proxy-Authorization: " + value + "\r\n")
                            .orElse("") + "\r\n";
            channel.socket().getOutputStream().write(request.getBytes(ISO_8859_1));
            requireAccepted(head(channel.socket().getInputStream()));
            done = true;
            return channel;
        } finally {
            if (!done) {
                channel.close();
            }
        }
    }

    private void requireAccepted(String head) throws IOException {
        String status = head.lines().findFirst().orElse("");
        if (!status.matches("HTTP/1\\.[01] 2\\d\\d( .*)?")) {
            throw new IOException("the proxy " + this + " refuses it: " + status.replaceAll("[^ -~]", "?"));
        }
    }

    /** Reads byte by byte: the following bytes are the host's. */
    private String head(InputStream in) throws IOException {
        ByteArrayOutputStream head = new ByteArrayOutputStream();
        while (head.size() < MAX_ANSWER_LENGTH) {
            int next = in.read();
            if (next < 0) {
                throw new IOException("the proxy " + this + " has ended the connection");
            }
            head.write(next);
            if (next == '\n' && head.toString(ISO_8859_1).endsWith(END)) {
                return head.toString(ISO_8859_1);
            }
        }
        throw new IOException("the answer of the proxy " + this + " is longer than " + MAX_ANSWER_LENGTH + " bytes");
    }
}
