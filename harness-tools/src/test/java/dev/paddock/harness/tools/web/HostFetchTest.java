package dev.paddock.harness.tools.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.paddock.executor.AbortSignal;
import dev.paddock.executor.policy.HostRule;
import dev.paddock.harness.tools.ToolException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests which addresses an allowed host may have. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HostFetchTest {
    static final String HOST = "host.example";

    /** Returns the status of an answer from the host, if a rule allows it and it has such an address. */
    static int status(String rule, String address, int port) throws UnknownHostException {
        InetAddress[] found = {InetAddress.getByName(address)};
        HostFetch fetch = new HostFetch(List.of(HostRule.parse(rule)), WebAccess.standard(), name -> found);
        HostFetch.Request request =
                new HostFetch.Request("http://" + HOST + ":" + port + "/", "GET", Map.of(), Optional.empty());
        return fetch.send(request, AbortSignal.never()).status();
    }

    /** Starts a server that has nothing. */
    static HttpServer server(String address) throws Exception {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getByName(address), 0), 0);
        server.createContext("/", exchange -> {
            try (exchange) {
                exchange.sendResponseHeaders(404, -1);
            }
        });
        server.start();
        return server;
    }

    @ParameterizedTest
    @ValueSource(strings = {"168.63.129.16", "169.254.169.254", "0.0.0.0", "224.0.0.1"})
    void noRuleAllowsAddressOfSpecialUse(String address) {
        for (String rule : List.of(HOST, HOST + "/private")) {
            assertThatThrownBy(() -> status(rule, address, 80))
                    .as(rule)
                    .isInstanceOf(ToolException.class)
                    .hasMessageContaining(HOST + " is " + address + ", which is not a public address");
        }
    }

    @Test
    void privateAddressNeedsRuleThatAllowsIt() throws Exception {
        HttpServer server = server("127.0.0.1");
        int port = server.getAddress().getPort();
        try {
            assertThatThrownBy(() -> status(HOST + ":" + port, "127.0.0.1", port))
                    .isInstanceOf(ToolException.class)
                    .hasMessageContaining("which is not a public address");
            assertThat(status(HOST + ":" + port + "/private", "127.0.0.1", port))
                    .as("the control")
                    .isEqualTo(404);
        } finally {
            server.stop(0);
        }
    }

    /** In a network namespace of its own, where an interface of this machine has a public address. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void addressOfInterfaceOfThisMachineIsPrivate() throws Exception {
        Process there = new ProcessBuilder(
                        "unshare",
                        "--user",
                        "--map-root-user",
                        "--net",
                        "sh",
                        "-c",
                        "ip link set lo up && ip addr add 8.8.4.4/32 dev lo && exec \"$@\"",
                        "sh",
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        OwnHostProgram.class.getName())
                .redirectErrorStream(true)
                .start();
        List<String> lines = there.inputReader().lines().toList();
        assertThat(there.waitFor()).as("%s", lines).isZero();
        assertThat(lines).hasSize(2);
        assertThat(lines.getFirst()).contains(HOST + " is 8.8.4.4, which is not a public address");
        assertThat(lines.getLast()).as("the control").isEqualTo("404");
    }
}
