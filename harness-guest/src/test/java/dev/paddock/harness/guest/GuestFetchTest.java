package dev.paddock.harness.guest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.paddock.fixtures.TestNames;
import dev.paddock.harness.bindings.AgentContainer;
import dev.paddock.harness.bindings.FetchPolicy;
import dev.paddock.harness.bindings.FetchRule;
import dev.paddock.harness.guest.session.GuestSession;
import dev.paddock.harness.tools.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Guests that send more than GET. */
class GuestFetchTest {
    private static final String FETCHES = """
            const show = async (method, url, options = {}) => {
              try {
                const answer = await fetch(url, {method, ...options});
                return answer.status + ' ' + (await answer.text());
              } catch (error) {
                return error.name + ': ' + error.message;
              }
            };
            export const run = async ([base, other]) => [
              await show('POST', new URL('/form', base), {body: new URLSearchParams({a: 'b c'})}),
              await show('put', base + '/x', {body: '\\u00e9', headers: {'If-Match': '"1"', 'Content-Type': 'text/x'}}),
              await show('HEAD', base + '/x'),
              await show('POST', base + '/turn', {body: 'x'}),
              await show('POST', base + '/keep', {body: 'x'}),
              await show('DELETE', base + '/x'),
              await show('POST', other + '/x', {body: 'x'}),
              await show('POST', base + '/away', {body: 'secret'}),
              await show('POST', base + '/away'),
              await show('GET', base + '/x', {body: 'x'}),
              await show('POST', base + '/x', {body: {a: 1}}),
              await show('TRACE', base + '/x'),
            ];
            """;

    @TempDir
    private Path directory;

    private final HttpServer server;
    private String base = "";
    private String other = "";

    GuestFetchTest() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    }

    @BeforeEach
    void serve() {
        int port = server.getAddress().getPort();
        base = TestNames.put("posted", "127.0.0.1") + ":" + port;
        other = TestNames.put("read", "127.0.0.1") + ":" + port;
        server.createContext("/", this::answer);
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private void answer(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        String sent = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        Map<String, String> redirects = Map.of("/turn", "/got", "/keep", "/kept", "/away", "http://" + other + "/x");
        if (redirects.containsKey(path)) {
            exchange.getResponseHeaders().add("Location", redirects.get(path));
            exchange.sendResponseHeaders(path.equals("/turn") ? 302 : 307, -1);
        } else {
            byte[] body = String.join(
                            " ",
                            exchange.getRequestMethod(),
                            path,
                            sent,
                            String.valueOf(exchange.getRequestHeaders().getFirst("Content-Type")),
                            String.valueOf(exchange.getRequestHeaders().getFirst("If-Match")))
                    .getBytes(StandardCharsets.UTF_8);
            boolean hasBody = !exchange.getRequestMethod().equals("HEAD");
            exchange.sendResponseHeaders(200, hasBody ? body.length : -1);
            exchange.getResponseBody().write(hasBody ? body : new byte[0]);
        }
        exchange.close();
    }

    @Test
    void otherMethodsGoToHostsWhoseRuleNamesThem() throws Exception {
        FetchPolicy policy = FetchPolicy.hosts(List.of(base + "/private/post/put", other + "/private"));
        Path root = Files.createDirectory(directory.toRealPath().resolve("project"));
        GuestOptions options = GuestOptions.standard().backend("bwrap", Map.of("warmSlots", "0"));
        try (AgentContainer container =
                        AgentContainer.builder(root).fetch(policy).build();
                GuestSession guests = GuestSession.open(container, options)) {
            Json result = guests.run(GuestCode.js(FETCHES).input(Json.of(List.of("http://" + base, "http://" + other))))
                    .result();
            List<String> answers = result.elements().stream()
                    .map(answer -> answer.kind() == Json.Kind.TEXT ? answer.text() : answer.toString())
                    .toList();
            String host = base.replaceFirst(":.*", "");
            assertThat(answers)
                    .startsWith(
                            "200 POST /form a=b+c application/x-www-form-urlencoded;charset=UTF-8 null",
                            "200 PUT /x \u00e9 text/x \"1\"",
                            "200 ",
                            "200 GET /got  text/plain;charset=UTF-8 null",
                            "200 POST /kept x text/plain;charset=UTF-8 null",
                            "403 the rule for the host of http://" + base
                                    + "/x allows GET, HEAD, POST, PUT, and not DELETE",
                            "403 the rule for the host of http://" + other + "/x allows GET, HEAD, and not POST");
            assertThat(answers.get(7)).contains("ToolError", host).doesNotContain("secret");
            assertThat(answers.get(8)).contains("ToolError", "not allowed");
            assertThat(answers.subList(9, 12))
                    .containsExactly(
                            "TypeError: a GET has no body",
                            "TypeError: the body of a request is a text or URLSearchParams",
                            "BindingError: fetch: the method TRACE is not possible; there are DELETE, GET, HEAD,"
                                    + " PATCH, POST, PUT");
        }
    }

    @Test
    void ruleNamesItsMethodsBehindItsHost() {
        assertThat(FetchRule.parse("api.example.org").methods()).containsExactlyInAnyOrder("GET", "HEAD");
        FetchRule rule = FetchRule.parse("api.example.org:8443/private/patch/DELETE");
        assertThat(rule.methods()).containsExactlyInAnyOrder("GET", "HEAD", "PATCH", "DELETE");
        assertThat(rule.host().allowsPrivate()).isTrue();
        for (String wrong : List.of("api.example.org/trace", "api.example.org/post/path", "a.example/1m")) {
            assertThatThrownBy(() -> FetchRule.parse(wrong)).isInstanceOf(IllegalArgumentException.class);
        }
        assertThat(FetchRule.parse("post").host().domain()).isEqualTo("post");
    }
}
