package dev.paddock.harness.tools.web;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.paddock.executor.AbortController;
import dev.paddock.executor.AbortSignal;
import dev.paddock.harness.tools.ExecutionSite;
import dev.paddock.harness.tools.Json;
import dev.paddock.harness.tools.ToolCall;
import dev.paddock.harness.tools.ToolContext;
import dev.paddock.harness.tools.ToolResult;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests fetching pages from a real server on this machine. */
class WebFetchToolTest {
    private static final WebAccess LOCAL = WebAccess.standard().allowingInternal(List.of("127.0.0.1"));

    private final List<String> asked = new CopyOnWriteArrayList<>();
    private final CountDownLatch over = new CountDownLatch(1);
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private HttpServer server;

    WebFetchToolTest() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    }

    @BeforeEach
    void start() {
        server.setExecutor(threads);
        server.createContext("/", exchange -> {
            asked.add(exchange.getRequestURI().toString());
            serve(exchange, 404, "text/plain", "nothing here".getBytes(StandardCharsets.UTF_8));
        });
        server.start();
    }

    @AfterEach
    void stop() {
        over.countDown();
        server.stop(0);
        threads.shutdownNow();
    }

    private static void serve(HttpExchange exchange, int status, String type, byte[] body) throws IOException {
        try (exchange) {
            Headers headers = exchange.getResponseHeaders();
            if (!type.isEmpty()) {
                headers.set("Content-Type", type);
            }
            exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
            exchange.getResponseBody().write(body);
        }
    }

    private String url(String path) {
        return "http://127.0.0.1:" + server.getAddress().getPort() + path;
    }

    private String page(String path, String type, String body, Charset charset) {
        server.createContext(path, exchange -> serve(exchange, 200, type, body.getBytes(charset)));
        return url(path);
    }

    private String page(String path, String type, String body) {
        return page(path, type, body, StandardCharsets.UTF_8);
    }

    private String redirect(String path, String to) {
        server.createContext(path, exchange -> {
            asked.add(exchange.getRequestURI().toString());
            exchange.getResponseHeaders().set("Location", to);
            serve(exchange, 302, "", new byte[0]);
        });
        return url(path);
    }

    private static ToolResult fetch(WebFetchTool tool, String url, AbortSignal signal) {
        return tool.execute(new ToolCall("1", "web_fetch", Json.object().with("url", url)), new ToolContext() {
            @Override
            public AbortSignal signal() {
                return signal;
            }

            @Override
            public void update(String textSoFar) {}
        });
    }

    private static ToolResult fetch(WebAccess access, String url) {
        return fetch(new WebFetchTool(access), url, AbortSignal.never());
    }

    private static String good(WebAccess access, String url) {
        ToolResult result = fetch(access, url);
        assertThat(result.isError()).as(result.text()).isFalse();
        return result.text();
    }

    private static String bad(WebAccess access, String url) {
        ToolResult result = fetch(access, url);
        assertThat(result.isError()).as(result.text()).isTrue();
        return result.text();
    }

    @Test
    void executionSiteIsNetwork() {
        assertThat(new WebFetchTool(LOCAL).executionSite()).isEqualTo(ExecutionSite.NETWORK);
    }

    @Test
    void htmlBecomesText() {
        String url = page("/page", "text/html; charset=utf-8", """
                <!doctype html><html><head><title>Wool &amp; yarn</title><style>p { color: red }</style>
                <script>alert("no")</script></head><body><nav hidden>not shown</nav>
                <h2>Socks</h2><p>Knit <b>one</b>,
                  purl <a href="/two">two</a>.</p><ul><li>heel<li>toe</ul>
                <pre>row 1
                  row 2</pre><table><tr><th>size</th><th>stitches</th></tr><tr><td>40</td><td>64</td></tr></table>
                <img alt="a sock" src="x.png"> <a href="#top">up</a></body></html>
                """);
        assertThat(good(LOCAL, url + "#part")).isEqualTo("[" + url + "]\n\n" + """
                Wool & yarn

                ## Socks

                Knit one, purl two (%s).

                - heel
                - toe

                row 1
                  row 2

                size | stitches
                40 | 64

                a sock up""".formatted(url("/two")));
    }

    @Test
    void textIsShownAsItIs() {
        String json = "{\n  \"a\":  1 }\n";
        assertThat(good(LOCAL, page("/json", "application/json", json))).endsWith("]\n\n" + json);
        assertThat(good(LOCAL, page("/atom", "application/atom+xml", "<feed/>")))
                .endsWith("]\n\n<feed/>");
        assertThat(good(LOCAL, page("/untyped", "", "<b>plain</b>"))).endsWith("]\n\n<b>plain</b>");
        assertThat(good(LOCAL, page("/query", "text/plain", "found") + "?q=a%20b&c"))
                .contains("/query?q=a%20b&c]");
    }

    @Test
    void charsetIsThatOfHeaderOrPage() {
        assertThat(good(LOCAL, page("/header", "text/plain; charset=ISO-8859-1", "Grüße", StandardCharsets.ISO_8859_1)))
                .endsWith("Grüße");
        assertThat(good(
                        LOCAL,
                        page("/meta", "text/html", "<meta charset=iso-8859-1><p>Grüße", StandardCharsets.ISO_8859_1)))
                .endsWith("Grüße");
        assertThat(good(LOCAL, page("/unknown", "text/plain; charset=klingon", "Grüße")))
                .endsWith("Grüße");
    }

    @Test
    void binaryContentIsRefusedAndNamed() {
        assertThat(bad(LOCAL, page("/image", "image/png", "\u0089PNG")))
                .isEqualTo(url("/image")
                        + " is not text but image/png, 5 bytes, and is not shown. web_fetch reads text alone");
        assertThat(bad(LOCAL, page("/nul", "text/plain", "a\0b"))).contains("not text but binary");
        assertThat(bad(LOCAL, page("/zip", "application/zip", "PK"))).contains("application/zip");
    }

    @Test
    void encodingThatWasNotAskedForIsRefused() {
        server.createContext("/gzip", exchange -> {
            asked.add(String.valueOf(exchange.getRequestHeaders().getFirst("Accept-Encoding")));
            exchange.getResponseHeaders().set("Content-Encoding", "gzip");
            serve(exchange, 200, "text/plain", new byte[] {31});
        });
        assertThat(bad(LOCAL, url("/gzip"))).contains("in the encoding 'gzip'");
        assertThat(asked).containsExactly("identity");
    }

    @Test
    void statusThatIsNoSuccessIsErrorWithWhatPageSays() {
        assertThat(bad(LOCAL, url("/missing")))
                .isEqualTo(url("/missing") + " answered with status 404\n\nnothing here");
    }

    @Test
    void longPageIsReadUpToBoundAndThenLeft() throws Exception {
        CompletableFuture<Void> left = new CompletableFuture<>();
        server.createContext("/endless", exchange -> {
            exchange.getResponseHeaders().set("Content-Type", "text/plain");
            exchange.sendResponseHeaders(200, 0);
            byte[] block = new byte[8_192];
            Arrays.fill(block, (byte) 'x');
            try (OutputStream body = exchange.getResponseBody()) {
                while (true) {
                    body.write(block);
                }
            } catch (IOException gone) {
                left.complete(null);
            }
        });
        String text = good(LOCAL.withMaxBytes(100_000), url("/endless"));
        assertThat(text).contains("x".repeat(100_000) + "\n\n[The page is longer; its first 100000 bytes were read.]");
        left.get(30, TimeUnit.SECONDS);
        assertThat(good(LOCAL, page("/long", "text/plain", "y".repeat(300_000))))
                .endsWith("[Cut: 37856 of 300000 characters are left out.]");
    }

    @Test
    void pageThatDoesNotComeInTimeIsGivenUp() {
        server.createContext("/hangs", exchange -> awaitEnd());
        server.createContext("/stops", exchange -> {
            exchange.sendResponseHeaders(200, 100);
            exchange.getResponseBody().write('a');
            exchange.getResponseBody().flush();
            awaitEnd();
        });
        WebAccess hasty = LOCAL.withTimeout(Duration.ofMillis(500));
        for (String path : List.of("/hangs", "/stops")) {
            assertThat(bad(hasty, url(path))).isEqualTo(url(path) + " has not answered in full within 0.5 s");
        }
    }

    private void awaitEnd() {
        try {
            over.await();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void abortEndsFetch() throws Exception {
        CountDownLatch reached = new CountDownLatch(1);
        server.createContext("/hangs", exchange -> {
            reached.countDown();
            awaitEnd();
        });
        AbortController abort = new AbortController();
        CompletableFuture<ToolResult> fetching = CompletableFuture.supplyAsync(
                () -> fetch(new WebFetchTool(LOCAL), url("/hangs"), abort.signal()), threads);
        assertThat(reached.await(30, TimeUnit.SECONDS)).isTrue();
        abort.abort("not wanted");
        ToolResult result = fetching.get(30, TimeUnit.SECONDS);
        assertThat(result.isError()).isTrue();
        assertThat(result.text()).isEqualTo("web_fetch was aborted: not wanted");
    }

    @Test
    void onlyWebIsFetched() {
        assertThat(bad(LOCAL, "file:///etc/passwd")).contains("'file:///etc/passwd' does not begin with http");
        assertThat(bad(LOCAL, "ftp://127.0.0.1/")).contains("does not begin with http");
        assertThat(bad(LOCAL, "127.0.0.1")).contains("does not begin with http");
        assertThat(bad(LOCAL, "http://")).contains("is not a URL");
        assertThat(bad(LOCAL, "http://a b/")).contains("is not a URL");
        assertThat(bad(LOCAL, "http://me:pw@127.0.0.1/"))
                .contains("a user or a password")
                .doesNotContain("pw");
        assertThat(bad(LOCAL, "http://no-such-host.invalid/")).contains("no host named no-such-host.invalid");
    }

    @Test
    void redirectIsFollowedFewTimes() {
        page("/end", "text/plain", "arrived");
        assertThat(good(LOCAL, redirect("/once", "end"))).isEqualTo("[" + url("/end") + "]\n\narrived");
        assertThat(bad(LOCAL, redirect("/round", "/round"))).contains("leads to more than 5 redirects");
        assertThat(asked.stream().filter("/round"::equals)).hasSize(6);
    }

    @Test
    void addressOfThisMachineOrItsNetworksIsNotReached() {
        int port = server.getAddress().getPort();
        for (String host : List.of(
                "127.0.0.1",
                "localhost",
                "127.1.2.3",
                "[::1]",
                "[::ffff:127.0.0.1]",
                "0.0.0.0",
                "10.0.0.1",
                "192.168.1.1",
                "172.20.0.1",
                "169.254.169.254",
                "[fe80::1]",
                "[fd00::1]",
                "[64:ff9b::7f00:1]")) {
            assertThat(bad(WebAccess.standard(), "http://" + host + ":" + port + "/"))
                    .as(host)
                    .contains("is not a public address")
                    .contains("may allow the host by name");
        }
        for (String host : List.of("2130706433", "0x7f000001", "127.1", "0177.0.0.1")) {
            fetch(WebAccess.standard(), "http://" + host + ":" + port + "/");
        }
        assertThat(asked).isEmpty();
        assertThat(bad(LOCAL, url("/"))).as("the control: reached when allowed").contains("status 404");
        assertThat(asked).hasSize(1);
    }

    @Test
    void redirectIsCheckedLikeFirstRequest() {
        String inside = "http://localhost:" + server.getAddress().getPort() + "/inside";
        String url = redirect("/out", inside);
        assertThat(bad(LOCAL, url)).contains(url + " redirects: localhost is ").contains("not a public address");
        assertThat(bad(LOCAL, redirect("/file", "file:///etc/passwd"))).contains("does not begin with http");
        assertThat(asked).containsExactly("/out", "/file");
        assertThat(bad(LOCAL.allowingInternal(List.of("localhost")), url))
                .as("the control")
                .contains("status 404");
    }

    /**
     * Creates a tool whose gate treats the loopback addresses as the public web and resolves names
     * by the given resolver, which may know a name that no name server knows.
     */
    private WebFetchTool withResolver(Destination.Resolver resolver) {
        WebAccess access = WebAccess.standard();
        return new WebFetchTool(access, Destination.Gate.everyHost(access, resolver, InetAddress::isLoopbackAddress));
    }

    @Test
    void requestGoesToAddressThatWasLookedAt() throws UnknownHostException {
        InetAddress here = InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
        List<String> looked = new CopyOnWriteArrayList<>();
        WebFetchTool tool = withResolver(host -> {
            looked.add(host);
            return new InetAddress[] {here};
        });
        server.createContext(
                "/pinned",
                exchange -> serve(
                        exchange,
                        200,
                        "text/plain",
                        exchange.getRequestHeaders().getFirst("Host").getBytes(StandardCharsets.UTF_8)));
        String url = "http://nowhere.invalid:" + server.getAddress().getPort() + "/pinned?a=b";
        ToolResult result = fetch(tool, url, AbortSignal.never());
        assertThat(result.text())
                .as("the platform does not know the name: had it been looked up again, there would be no page")
                .isEqualTo("[" + url + "]\n\nnowhere.invalid:"
                        + server.getAddress().getPort());
        assertThat(looked).containsExactly("nowhere.invalid");
    }

    @Test
    void oneAddressThatIsNotPublicRefusesHost() throws UnknownHostException {
        InetAddress[] mixed = {
            InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), InetAddress.getByAddress(new byte[] {10, 1, 1, 1})
        };
        ToolResult result = fetch(
                withResolver(host -> mixed),
                "http://mixed.invalid:" + server.getAddress().getPort() + "/",
                AbortSignal.never());
        assertThat(result.text()).startsWith("mixed.invalid is 10.1.1.1, which is not a public address");
        assertThat(asked).isEmpty();
    }
}
