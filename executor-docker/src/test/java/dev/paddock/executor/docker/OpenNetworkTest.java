package dev.paddock.executor.docker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.executor.policy.NetworkPolicy;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.policy.SandboxPolicy;
import dev.paddock.executor.tck.subject.Prerequisite;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests the network that the policy grants, on an engine with a bridge of the test's own. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class OpenNetworkTest {
    private static final String BRIDGE = "pdk" + ProcessHandle.current().pid();

    /** From a range reserved for network tests (RFC 2544), which no real network uses. */
    private static final String ADDRESS = "198.18.213.1";

    @TempDir
    Path directory;

    private static boolean ip(String... words) throws Exception {
        List<String> argv = new java.util.ArrayList<>(List.of("ip"));
        argv.addAll(List.of(words));
        try {
            Process process = new ProcessBuilder(argv)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return process.waitFor(30, TimeUnit.SECONDS) && process.exitValue() == 0;
        } catch (IOException absent) {
            return false;
        }
    }

    @Test
    void openReachesAListenerThatOffDoesNot() throws Exception {
        boolean possible = ip("link", "add", "name", BRIDGE, "type", "bridge");
        Prerequisite.require(possible, "a bridge cannot be made here");
        try (ServerSocket listener = bridge();
                OwnEngine engine = OwnEngine.start("--bridge=" + BRIDGE)) {
            engine.copy(TestEngine.BUSYBOX);
            List<String> heard = listen(listener);
            int port = listener.getLocalPort();
            assertThat(say(engine, NetworkPolicy.open(), "open", port)).isEqualTo("echo open\n");
            assertThat(say(engine, NetworkPolicy.off(), "off", port)).doesNotContain("echo");
            assertThat(heard).containsExactly("open");
        } finally {
            ip("link", "del", BRIDGE);
        }
    }

    private static ServerSocket bridge() throws Exception {
        assertThat(ip("addr", "add", ADDRESS + "/24", "dev", BRIDGE)).isTrue();
        assertThat(ip("link", "set", BRIDGE, "up")).isTrue();
        return new ServerSocket(0, 8, InetAddress.getByName(ADDRESS));
    }

    private static List<String> listen(ServerSocket listener) {
        List<String> heard = new CopyOnWriteArrayList<>();
        Thread.ofVirtual().start(() -> {
            while (!listener.isClosed()) {
                try (Socket caller = listener.accept()) {
                    InputStream input = caller.getInputStream();
                    String text =
                            new BufferedReader(new InputStreamReader(input, StandardCharsets.US_ASCII)).readLine();
                    heard.add(String.valueOf(text));
                    caller.getOutputStream().write(("echo " + text + "\n").getBytes(StandardCharsets.US_ASCII));
                } catch (IOException closed) {
                    return;
                }
            }
        });
        return heard;
    }

    private String say(OwnEngine engine, NetworkPolicy network, String text, int port) throws Exception {
        SandboxPolicy policy = SandboxPolicy.builder(new PathMapping(directory.toRealPath(), "/work"))
                .network(network)
                .build();
        try (DockerExecutor executor = DockerExecutor.builder()
                .engine(engine.host())
                .image(TestEngine.BUSYBOX)
                .policy(policy)
                .build()) {
            return Runs.of(executor, "/work", "echo " + text + " | nc -w 5 " + ADDRESS + " " + port)
                    .out();
        }
    }
}
