package dev.paddock.harness.guest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.paddock.executor.AbortSignal;
import dev.paddock.executor.UnsupportedPolicyException;
import dev.paddock.fixtures.TestNames;
import dev.paddock.harness.bindings.AgentContainer;
import dev.paddock.harness.bindings.FetchPolicy;
import dev.paddock.harness.guest.GuestOptions.Engine;
import dev.paddock.harness.guest.session.GuestSession;
import dev.paddock.harness.tools.Json;
import dev.paddock.harness.tools.Tool;
import dev.paddock.harness.tools.ToolCall;
import dev.paddock.harness.tools.ToolContext;
import dev.paddock.harness.tools.ToolResult;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Guest code in other places than QuickJS within bubblewrap, and on other ways. */
@Tag("full")
@Timeout(value = 180, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class GuestBackendsTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final GuestOptions OPTIONS = GuestOptions.standard().warm(0).timeout(PATIENCE);
    private static final String CODE = """
            import { text } from './lib.js';
            console.log('in');
            export async function run(input: { n: number }, { WORKSPACE }: any) {
              await new Promise((done) => setTimeout(done, 5));
              if (input.n < 0) throw new RangeError('negative');
              return text + input.n + await WORKSPACE.readText('a.txt');
            }
            """;

    @TempDir
    Path root;

    @BeforeEach
    void make() throws Exception {
        Files.writeString(root.resolve("a.txt"), "!");
        Files.writeString(root.resolve("lib.ts"), "export const text: string = 'n is ';\n");
        Files.writeString(root.resolve("main.ts"), CODE);
    }

    private static GuestCode code(int number) {
        return GuestCode.file("main.ts").input(Json.object().with("n", number));
    }

    private void assertRuns(GuestOptions options) {
        try (AgentContainer container = AgentContainer.builder(root).build();
                GuestSession guests = GuestSession.open(container, options)) {
            GuestResult result = guests.run(code(4));
            assertThat(result.result().text()).isEqualTo("n is 4!");
            assertThat(result.logs()).containsExactly("in");
            assertThatThrownBy(() -> guests.run(code(-1))).isInstanceOfSatisfying(GuestException.class, fault -> {
                assertThat(fault.name()).isEqualTo("RangeError");
                assertThat(fault.guestStack()).contains("main.ts:5:");
            });
        }
    }

    @Test
    void nodeRunsSameModulesBehindSameBridge() {
        assertRuns(OPTIONS.backend("bwrap", Map.of()).engine(Engine.NODE));
    }

    @Test
    void guestRunsInContainerWithHostsJava() {
        assertRuns(OPTIONS.backend("docker", Map.of("image", "paddock-test/debian")));
    }

    @Test
    void guestRunsUnderLandlock() {
        assertRuns(OPTIONS.backend("landlock", Map.of()));
    }

    @Test
    void hostBackendIsRefused() {
        try (AgentContainer container = AgentContainer.builder(root).build()) {
            assertThatThrownBy(() -> GuestSession.open(container, OPTIONS.backend("host", Map.of())))
                    .isInstanceOf(UnsupportedPolicyException.class);
        }
    }

    @Test
    void guestThatIsNotReadyInTimeIsLost() {
        GuestOptions late = OPTIONS.backend("bwrap", Map.of())
                .timeout(PATIENCE)
                .startTimeout(Duration.ofMillis(1))
                .warm(0);
        try (AgentContainer container = AgentContainer.builder(root).build();
                GuestSession guests = GuestSession.open(container, late)) {
            assertThatThrownBy(() -> guests.run(code(1)))
                    .isInstanceOfSatisfying(
                            GuestException.class,
                            fault -> assertThat(fault.kind()).isEqualTo(GuestException.Kind.LOST))
                    .hasMessageContaining("not ready within 1 ms");
        }
    }

    @Test
    void fetchReachesAllowedHostsAlone() throws Exception {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            String sent = exchange.getRequestHeaders().getFirst("Authorization");
            byte[] body = ("{\"from\":\"server\",\"sent\":\"" + sent + "\"}").getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().add("X-Kind", "test");
            if (exchange.getRequestURI().getPath().equals("/away")) {
                exchange.getResponseHeaders().add("Location", "http://other.example/");
                exchange.sendResponseHeaders(302, -1);
            } else {
                exchange.sendResponseHeaders(200, body.length);
                exchange.getResponseBody().write(body);
            }
            exchange.close();
        });
        server.start();
        int port = server.getAddress().getPort();
        String host = TestNames.put("fetched", "127.0.0.1");
        String base = "http://" + host + ":" + port;
        String below = "http://" + TestNames.put("below.fetched", "127.0.0.1") + ":" + port;
        String metadata = TestNames.put("metadata", "169.254.169.254");
        FetchPolicy allowed = FetchPolicy.hosts(List.of(host + ":" + port + "/private", metadata + "/private"));
        try (AgentContainer container = AgentContainer.builder(root).build();
                GuestSession guests = GuestSession.open(
                        container, OPTIONS.backend("bwrap", Map.of()).fetch(allowed))) {
            assertThat(guests.run(GuestCode.js("""
                            export async function run([base, below, metadata]) {
                              const got = await fetch(base + '/x');
                              const away = await fetch(base + '/away').then((r) => r.status, (e) => e.message);
                              const other = await fetch('http://other.example/');
                              const post = await (await fetch(base, { method: 'POST', body: 'x' })).text();
                              const own = await fetch(base, { headers: { Authorization: 'Bearer mine' } });
                              const cookie = await fetch(base, { headers: { Cookie: 'a' } }).catch((e) => e.message);
                              const port = await fetch(base.replace(/:[0-9]+$/, ':81') + '/');
                              const special = await fetch('http://' + metadata + '/').catch((e) => e.message);
                              return [got.status, (await got.json()).from, got.headers.get('x-kind'), (await fetch(below)).status,
                                      away, other.status, port.status, post, special,
                                      (await own.json()).sent, cookie];
                            }""").input(Json.of(List.of(base, below, metadata))))
                            .result()
                            .toString())
                    .startsWith("[200,\"server\",\"test\",200,\"")
                    .contains(
                            "other.example is not allowed",
                            ",403,403,",
                            "allows GET, HEAD, and not POST",
                            "169.254.169.254",
                            "\"Bearer mine\"",
                            "the header 'cookie' is not sent");
        }
        FetchPolicy isPublic = FetchPolicy.hosts(List.of(host + ":" + port));
        try (AgentContainer container =
                        AgentContainer.builder(root).fetch(isPublic).build();
                GuestSession guests = GuestSession.open(container, OPTIONS.backend("bwrap", Map.of()))) {
            assertThatThrownBy(() -> guests.run(GuestCode.js("export const run = () => fetch('" + base + "');")))
                    .hasMessageContaining("not a public address");
        }
        // A session's own hosts stand in place of the container's, fewer ones too.
        try (AgentContainer container =
                        AgentContainer.builder(root).fetch(allowed).build();
                GuestSession guests = GuestSession.open(container, OPTIONS.backend("bwrap", Map.of()));
                GuestSession none = GuestSession.open(
                        container, OPTIONS.backend("bwrap", Map.of()).fetch(FetchPolicy.blocked()))) {
            GuestCode code = GuestCode.js("""
                    export const run = async ([base, host]) => [(await fetch(base)).status,
                      (await fetch(base.replace(host, host.toUpperCase()))).status, (await fetch(base.replace(host, 'not' + host))).status];""").input(Json.of(List.of(base, host)));
            assertThat(guests.run(code).result().toString()).isEqualTo("[200,200,403]");
            assertThat(none.run(code).result().toString()).isEqualTo("[403,403,403]");
        }
        server.stop(0);
    }

    @Test
    void runCodeGivesModelResultLogsAndErrors() {
        try (AgentContainer container = AgentContainer.builder(root).build();
                GuestSession guests = GuestSession.open(container, OPTIONS.backend("bwrap", Map.of()))) {
            Tool tool = guests.tool();
            ToolResult result = call(
                    tool,
                    "export async function run(i: any, { WORKSPACE }: any) {"
                            + " console.log('log'); return await WORKSPACE.readText('a.txt') + i.a; }");
            assertThat(result.isError()).isFalse();
            assertThat(result.text()).isEqualTo("log\n\"!1\"");
            ToolResult thrown = call(tool, "export const run = () => { throw new TypeError('no'); };");
            assertThat(thrown.isError()).isTrue();
            assertThat(thrown.text()).contains("TypeError: no", "guest.ts:1:");
        }
    }

    private static ToolResult call(Tool tool, String code) {
        Json arguments = Json.object().with("code", code).with("input", Map.of("a", 1));
        return tool.execute(new ToolCall("1", tool.name(), arguments), new ToolContext() {
            @Override
            public AbortSignal signal() {
                return AbortSignal.never();
            }

            @Override
            public void update(String textSoFar) {}
        });
    }
}
