package dev.paddock.executor.tck.subject;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.policy.PathMapping;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Shows that a program that knows nothing of the sandbox reaches an allowed host, and of another host
 * the command's report says that it is not allowed. The host is a server of this JVM on the loopback,
 * which has nothing that a program could ask for.
 */
public final class ProgramTrial implements AutoCloseable {
    /**
     * Programs that machines have, each with the command that fetches something from {@code URL}, or
     * from {@code HOST} and {@code PORT}; for {@code @CsvSource} with the delimiter {@code |}. Java takes
     * the home from the users' table and not from {@code HOME}, so that Maven and Gradle receive it.
     */
    public static final String PROGRAMS = """
            curl|curl -sS URL
            git|git ls-remote URLthing.git
            node|node -e "fetch('URL').then(r => console.log(r.status))"
            npm|npm view thing --registry URL --fetch-retries=0
            python3|python3 -c "import urllib.request; urllib.request.urlopen('URL')"
            pip|python3 -m pip download thing --no-deps --index-url URL --trusted-host HOST --retries 0
            perl|perl -MHTTP::Tiny -e "print HTTP::Tiny->new->get('URL')->{status}"
            bash|bash -c 'exec 3<>/dev/tcp/HOST/PORT && echo GET >&3 && cat <&3'
            java|java Fetch.java URL
            mvn|mvn -B -Duser.home=$HOME -s settings.xml dependency:get -Dartifact=a:b:1
            gradle|gradle -g $HOME/.gradle --no-daemon -b fetch.gradle fetch
            go|GOPROXY=URL go mod download thing.example/thing@v1.0.0
            cargo|cargo fetch
            apt|mkdir -p apt/state apt/cache; apt-get \
            -o Dir::Etc::SourceList=$PWD/sources.list -o Dir::Etc::SourceParts=/dev/null \
            -o Dir::State=$PWD/apt/state -o Dir::State::status=/dev/null -o Dir::Cache=$PWD/apt/cache \
            -o APT::Sandbox::User= -o Debug::NoLocking=true -o Acquire::Retries=0 update
            ssh|ssh -o BatchMode=yes -o StrictHostKeyChecking=no -p PORT HOST true
            wget|wget -qO- --tries=1 URL
            """;

    private static final String ANSWER = "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
    private static final int MOST_SHOWN = 2000;

    /** The files that programs of the table need, by their names; {@code URL} stands for the server's. */
    private static final Map<String, String> FILES = Map.of(
            "Fetch.java",
            """
            import java.net.URI;
            import java.net.http.*;
            class Fetch {
                public static void main(String[] a) throws Exception {
                    System.out.println(HttpClient.newHttpClient().send(
                        HttpRequest.newBuilder(URI.create(a[0])).build(), HttpResponse.BodyHandlers.ofString()));
                }
            }
            """,
            "settings.xml",
            """
            <settings><mirrors><mirror><id>all</id><mirrorOf>*</mirrorOf><url>URL</url></mirror></mirrors></settings>
            """,
            "fetch.gradle",
            """
            repositories { maven { url 'URL' } }
            configurations { wanted }
            dependencies { wanted 'a:b:1' }
            task fetch { doLast { configurations.wanted.files } }
            """,
            "Cargo.toml",
            """
            [package]
            name = "trial"
            version = "1.0.0"
            [lib]
            path = "empty.rs"
            [dependencies]
            thing = { git = "URLthing.git" }
            """,
            "empty.rs",
            "",
            "sources.list",
            "deb [trusted=yes] URL ./\n");

    private final ServerSocket server;
    private final AtomicInteger requests = new AtomicInteger();
    private final String allowed = TestNames.put("programs", "127.0.0.1");
    private final String denied = TestNames.put("elsewhere", "127.0.0.1");

    private ProgramTrial(ServerSocket server) {
        this.server = server;
    }

    /**
     * Skips the test if this machine has a program of {@link #PROGRAMS} not where commands find it.
     *
     * @param program its name
     */
    public static void assumeInstalled(String program) {
        String file = program.equals("pip") ? "/usr/lib/python3/dist-packages/pip" : "/usr/bin/" + program;
        assumeTrue(Files.exists(Path.of(file)), () -> "this machine has no " + program + " for commands");
    }

    /**
     * Starts the server.
     *
     * @return the trial; the caller closes it
     * @throws IOException if there is no port
     */
    public static ProgramTrial start() throws IOException {
        ProgramTrial trial =
                new ProgramTrial(new ServerSocket(0, 50, InetAddress.getByAddress(new byte[] {127, 0, 0, 1})));
        Thread.ofPlatform().daemon().start(trial::answer);
        return trial;
    }

    private void answer() {
        while (!server.isClosed()) {
            try (Socket client = server.accept()) {
                requests.incrementAndGet();
                client.getInputStream().readNBytes(1);
                client.getOutputStream().write(ANSWER.getBytes(StandardCharsets.US_ASCII));
                client.shutdownOutput();
            } catch (IOException ended) {
                // the client's, which has been counted, or the server's
            }
        }
    }

    /**
     * Returns the only rule that the executor's network has.
     *
     * @return the rule
     */
    public String rule() {
        return allowed + ":" + server.getLocalPort() + "/private";
    }

    /**
     * Runs a program against the other host and against the allowed one.
     *
     * @param worktree where it runs, on both sides
     * @param program its name, for messages
     * @param command what it runs: {@code URL}, {@code HOST} and {@code PORT} stand for the server's
     * @throws IOException if its files cannot be written
     */
    public void check(CommandExecutor executor, PathMapping worktree, String program, String command)
            throws IOException {
        Run refused = run(executor, worktree, command, denied);
        assertThat(refused.notices())
                .as("%s, asked for a host that is not allowed: %s", program, refused.output())
                .anyMatch(notice -> notice.contains(denied + " was not reached: not allowed"));
        assertThat(requests).hasValue(0);
        Run reached = run(executor, worktree, command, allowed);
        assertThat(requests.get())
                .as("the requests of %s: %s %s", program, reached.notices(), reached.output())
                .isPositive();
    }

    private record Run(String output, List<String> notices) {}

    private Run run(CommandExecutor executor, PathMapping worktree, String command, String host) throws IOException {
        for (Map.Entry<String, String> file : FILES.entrySet()) {
            Files.writeString(worktree.hostPath().resolve(file.getKey()), filled(file.getValue(), host));
        }
        ProcessLike process = executor.spawn(
                filled(command, host),
                SpawnOptions.builder(worktree.commandPath())
                        .stderr(SpawnOptions.Stderr.MERGED)
                        .build());
        String output = new String(process.stdout().readAllBytes(), StandardCharsets.UTF_8);
        List<String> notices = process.onClosed().toCompletableFuture().join().notices();
        return new Run(output.substring(Math.max(0, output.length() - MOST_SHOWN)), notices);
    }

    private String filled(String text, String host) {
        String port = Integer.toString(server.getLocalPort());
        return text.replace("URL", "http://" + host + ":" + port + "/")
                .replace("HOST", host)
                .replace("PORT", port);
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
