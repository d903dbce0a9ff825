package dev.paddock.executor.bwrap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.policy.NetworkPolicy;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.policy.SandboxPolicy;
import dev.paddock.executor.tck.subject.TestNames;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Programs that know nothing of the sandbox reach an allowed host, and no other. */
@Tag("full")
@Timeout(value = 180, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class AllowedProgramsTest {
    private static final String ANSWER = "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";

    private static final String FETCH = """
            import java.net.URI;
            import java.net.http.*;
            class Fetch {
                public static void main(String[] a) throws Exception {
                    System.out.println(HttpClient.newHttpClient().send(
                        HttpRequest.newBuilder(URI.create(a[0])).build(), HttpResponse.BodyHandlers.ofString()));
                }
            }
            """;

    private static final String SETTINGS = """
            <settings><mirrors><mirror><id>all</id><mirrorOf>*</mirrorOf><url>URL</url></mirror></mirrors></settings>
            """;

    @TempDir
    Path directory;

    @SuppressWarnings("NullAway.Init") // set before each test
    private Path worktree;

    @SuppressWarnings("NullAway.Init") // set before each test
    private ServerSocket server;

    @SuppressWarnings("NullAway.Init") // set before each test
    private BwrapExecutor executor;

    private final AtomicInteger requests = new AtomicInteger();
    private String allowed = "";
    private String denied = "";

    @BeforeEach
    void serve() throws IOException {
        worktree = Files.createDirectory(directory.toRealPath().resolve("tree"));
        server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread.ofPlatform().daemon().start(this::answer);
        allowed = TestNames.put("programs", "127.0.0.1");
        denied = TestNames.put("elsewhere", "127.0.0.1");
        executor = BwrapExecutor.builder()
                .policy(SandboxPolicy.builder(PathMapping.same(worktree))
                        .network(NetworkPolicy.allow(allowed + ":" + server.getLocalPort() + "/private"))
                        .build())
                .warmSlots(0)
                .quarantine(directory.resolve("quarantine"))
                .build();
    }

    private void answer() {
        while (!server.isClosed()) {
            try (Socket client = server.accept()) {
                requests.incrementAndGet();
                InputStream in = client.getInputStream();
                in.read(new byte[8192]);
                client.getOutputStream().write(ANSWER.getBytes(StandardCharsets.US_ASCII));
            } catch (IOException closed) {
                assertThat(server.isClosed() || requests.get() > 0).isTrue();
            }
        }
    }

    @AfterEach
    void stop() throws IOException {
        executor.dispose();
        server.close();
    }

    private List<String> run(String command) throws IOException {
        ProcessLike process = executor.spawn(
                command,
                SpawnOptions.builder(worktree.toString())
                        .stderr(SpawnOptions.Stderr.MERGED)
                        .build());
        process.stdout().transferTo(OutputStream.nullOutputStream());
        process.onExit().toCompletableFuture().join();
        return process.onClosed().toCompletableFuture().join().notices();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "curl|curl -sS URL",
                "git|git ls-remote URLthing.git",
                "node|node -e \"fetch('URL').then(r => console.log(r.status))\"",
                "npm|npm view thing --registry URL --fetch-retries=0",
                "python3|python3 -c \"import urllib.request; urllib.request.urlopen('URL')\"",
                "pip|python3 -m pip download thing --no-deps --index-url URL --trusted-host HOST --retries 0",
                "perl|perl -MHTTP::Tiny -e \"print HTTP::Tiny->new->get('URL')->{status}\"",
                "java|java Fetch.java URL",
                "mvn|mvn -B -s settings.xml dependency:get -Dartifact=a:b:1",
                "ssh|ssh -o BatchMode=yes -o StrictHostKeyChecking=no -p PORT HOST true",
                "wget|wget -qO- --tries=1 URL"
            })
    void programReachesTheAllowedHostAndNoOther(String program, String command) throws IOException {
        String file = program.equals("pip") ? "/usr/lib/python3/dist-packages/pip" : "/usr/bin/" + program;
        assumeTrue(Files.exists(Path.of(file)), () -> "this machine has no " + program + " for commands");
        Files.writeString(worktree.resolve("Fetch.java"), FETCH);
        assertThat(run(filled(command, denied)))
                .as("%s of a host that is not allowed", program)
                .anyMatch(notice -> notice.contains(denied + " was not reached: not allowed"));
        assertThat(requests).hasValue(0);
        List<String> notices = run(filled(command, allowed));
        assertThat(requests.get()).as("requests of %s: %s", program, notices).isPositive();
    }

    private String filled(String command, String host) throws IOException {
        String port = Integer.toString(server.getLocalPort());
        String url = "http://" + host + ":" + port + "/";
        Files.writeString(worktree.resolve("settings.xml"), SETTINGS.replace("URL", url));
        return command.replace("URL", url).replace("HOST", host).replace("PORT", port);
    }
}
