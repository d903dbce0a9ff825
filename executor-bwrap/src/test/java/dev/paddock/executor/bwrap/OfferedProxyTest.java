package dev.paddock.executor.bwrap;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.paddock.executor.CommandResult;
import dev.paddock.executor.RunOptions;
import dev.paddock.executor.policy.NetworkPolicy;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.policy.SandboxPolicy;
import dev.paddock.fixtures.TestNames;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the proxy that commands have besides, where the policy offers one. */
@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@SuppressWarnings("NullAway.Init") // set before each test
class OfferedProxyTest {
    private static final String BODY = "hello from the allowed host";
    private static final String PROXY = "127.83.0.53:3128";

    @TempDir
    Path directory;

    private Path worktree;
    private HttpServer server;
    private BwrapExecutor executor;
    private String place = "";
    private String other = "";

    @BeforeEach
    void serve() throws IOException {
        worktree = Files.createDirectory(directory.toRealPath().resolve("tree"));
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            byte[] body = BODY.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        int port = server.getAddress().getPort();
        place = TestNames.put("proxied", "127.0.0.1") + ":" + port;
        other = TestNames.put("unproxied", "127.0.0.1") + ":" + port;
        executor = executor(NetworkPolicy.allow(place + "/private").withProxyVariables());
    }

    private BwrapExecutor executor(NetworkPolicy network) {
        return BwrapExecutor.builder()
                .policy(SandboxPolicy.builder(PathMapping.same(worktree))
                        .network(network)
                        .build())
                .quarantine(directory.resolve("quarantine"))
                .build();
    }

    @AfterEach
    void stop() {
        executor.dispose();
        server.stop(0);
    }

    private CommandResult run(String command) throws InterruptedException {
        return executor.run(command, RunOptions.in(worktree.toString()));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "curl -sS http://PLACE/",
                "curl -sS --proxytunnel http://PLACE/",
                "curl -sS --proxy socks5h://PROXY http://PLACE/",
                "curl -sS --noproxy '*' http://PLACE/",
                "https_proxy= http_proxy= curl -sS http://PLACE/"
            })
    void reachesAllowedHostAndNoOther(String command) throws Exception {
        String filled = command.replace("PROXY", PROXY);
        assertThat(run(filled.replace("PLACE", place)).outText()).isEqualTo(BODY);
        CommandResult denied = run(filled.replace("PLACE", other));
        assertThat(denied.outText()).doesNotContain(BODY);
        assertThat(denied.cleanup().orElseThrow().notices())
                .singleElement()
                .asString()
                .contains(other.substring(0, other.indexOf(':')), "was not reached: not allowed");
    }

    @Test
    void refusalOfProxyNamesAllowedHosts() throws Exception {
        assertThat(run("curl -sS http://" + other + "/").outText())
                .isEqualTo(
                        other + " is not allowed by the sandbox's network policy. Allowed: " + place + "/private.\n");
    }

    @Test
    void addressesAndOtherPortsAreRefused() throws Exception {
        int port = server.getAddress().getPort();
        for (String target : new String[] {"127.0.0.1:" + port, "2130706433:" + port, place.replaceAll(":.*", ":1")}) {
            for (String options : new String[] {"", "--proxytunnel ", "--proxy socks5h://" + PROXY + " "}) {
                assertThat(run("curl -sS --noproxy '' " + options + "http://" + target + "/")
                                .outText())
                        .as(options + target)
                        .doesNotContain(BODY);
            }
        }
    }

    @Test
    void eachRequestOfConnectionGoesToItsOwnHost() throws Exception {
        assertThat(run("curl -sS http://" + place + "/ http://" + other + "/ http://" + place + "/")
                        .outText())
                .startsWith(BODY)
                .contains("is not allowed")
                .endsWith(BODY);
    }

    @Test
    void proxyIsOfferedOnlyIfPolicyAsksForIt() throws Exception {
        assertThat(run("echo $HTTPS_PROXY $all_proxy").outText())
                .isEqualTo("http://" + PROXY + " socks5h://" + PROXY + "\n");
        try (BwrapExecutor without = executor(NetworkPolicy.allow(place + "/private"))) {
            CommandResult seen = without.run(
                    "env | grep -i proxy; curl -sS --proxy http://" + PROXY + " http://" + place + "/ 2>&1",
                    RunOptions.in(worktree.toString()));
            assertThat(seen.outText()).doesNotContain("=http://", BODY);
        }
    }
}
