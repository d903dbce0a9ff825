package dev.paddock.executor.network;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paddock.executor.network.proxy.HostProxy;
import dev.paddock.executor.policy.HostRule;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests connections through a proxy of the host's, a server of this JVM. */
@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@SuppressWarnings("NullAway.Init") // set before each test
class HostProxyTest {
    private ServerSocket server;

    @BeforeEach
    void open() throws IOException {
        server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
    }

    @AfterEach
    void close() throws IOException {
        server.close();
    }

    private static void observeNothing(SocketChannel channel) {}

    private HostProxy proxy(String user, String direct) {
        return HostProxy.of(
                Map.of("https_proxy", "http://" + user + "127.0.0.1:" + server.getLocalPort(), "NO_PROXY", direct));
    }

    /** Answers the next connection, and returns the lines that it began with. */
    private CompletableFuture<List<String>> answering(String text) {
        CompletableFuture<List<String>> lines = new CompletableFuture<>();
        Thread.ofVirtual().start(() -> {
            try (Socket client = server.accept()) {
                BufferedReader in = new BufferedReader(new InputStreamReader(client.getInputStream(), US_ASCII));
                List<String> read =
                        in.lines().takeWhile(line -> !line.isEmpty()).toList();
                client.getOutputStream().write(text.getBytes(US_ASCII));
                lines.complete(read);
            } catch (IOException fault) {
                lines.completeExceptionally(fault);
            }
        });
        return lines;
    }

    private static AllowedHosts.Grant grant(String host, int port) {
        return new AllowedHosts(List.of(HostRule.parse(host + ":" + port)))
                .grant(host, port)
                .orElseThrow();
    }

    @Test
    void hostIsReachedByItsNameAndNothingOfItIsLost() throws IOException {
        CompletableFuture<List<String>> asked = answering("HTTP/1.1 200 OK\r\nVia: own\r\n\r\nhello");
        Upstream upstream = new Upstream(Optional.of(proxy("me:a%40b@", "")));
        // No resolver knows the name: it is the proxy's to resolve.
        try (SocketChannel channel = upstream.dial(grant("host.invalid", 8443), HostProxyTest::observeNothing)) {
            assertThat(new String(channel.socket().getInputStream().readAllBytes(), US_ASCII))
                    .isEqualTo("hello");
        }
        assertThat(asked.join())
                .containsExactly(
                        "CONNECT host.invalid:8443 HTTP/1.1",
                        "Host: host.invalid:8443",
                        "Proxy-Authorization: Basic bWU6YUBi");
    }

    @Test
    void refusalQuotesProxysAnswer() {
        CompletableFuture<List<String>> asked = answering("HTTP/1.1 403 Not for you\r\n\r\n");
        Upstream upstream = new Upstream(Optional.of(proxy("", "")));
        assertThatThrownBy(() -> upstream.dial(grant("host.invalid", 443), HostProxyTest::observeNothing))
                .isInstanceOf(IOException.class)
                .hasMessage("the proxy 127.0.0.1:" + server.getLocalPort() + " refuses it: HTTP/1.1 403 Not for you");
        assertThat(asked.join()).hasSize(2);
    }

    @Test
    void hostsOfNoProxyAreDialledDirectlyAndChecked() {
        Upstream upstream = new Upstream(Optional.of(proxy("", ".other.invalid, localhost.localdomain")));
        assertThatThrownBy(() -> upstream.dial(grant("a.other.invalid", 443), HostProxyTest::observeNothing))
                .hasMessage("its name cannot be resolved on the host");
        assertThat(proxy("", "a.invalid").isDirect("ba.invalid")).isFalse();
        assertThat(proxy("", "a.invalid").isDirect("b.a.invalid")).isTrue();
        assertThat(proxy("", "*").isDirect("a.invalid")).isTrue();
    }

    @Test
    void proxyThatCannotBeUsedIsRefusedWithoutItsPassword() {
        assertThatThrownBy(() -> HostProxy.of(Map.of("HTTPS_PROXY", " "))).hasMessage("HTTPS_PROXY is not set");
        for (String text : List.of("https://me:secret@a.example", "socks5://a.example", "http://me:sec ret@a")) {
            assertThatThrownBy(() -> HostProxy.of(Map.of("HTTPS_PROXY", text)))
                    .hasMessage("HTTPS_PROXY is not of the form http://host:port");
        }
        assertThat(proxy("me:secret@", "")).hasToString("127.0.0.1:" + server.getLocalPort());
    }
}
