package dev.paddock.executor.docker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.executor.policy.Mount;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.policy.SandboxPolicy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests that programs commonly run in containers also run under the filter. */
@Tag("full")
@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class EverydayProgramsTest {
    private static final String JAVA = """
            import java.net.*;
            import java.nio.channels.*;
            import java.nio.file.*;
            import java.util.concurrent.*;

            public class Everyday {
                public static void main(String[] arguments) throws Exception {
                    try (ExecutorService threads = Executors.newFixedThreadPool(4);
                            ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                            Socket client = new Socket(server.getInetAddress(), server.getLocalPort());
                            Selector selector = Selector.open();
                            ServerSocketChannel local = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
                        local.bind(UnixDomainSocketAddress.of(Path.of("/tmp/java.sock")));
                        selector.selectNow();
                        Process child = new ProcessBuilder("echo", "a thread's child").start();
                        System.out.write(threads.submit(() -> child.getInputStream().readAllBytes()).get());
                        System.out.flush();
                    }
                }
            }
            """;

    private static final String PERL = """
            my $server = IO::Socket::UNIX->new(Local => "/tmp/perl.sock", Listen => 1) or die $!;
            if (!fork) { my $client = IO::Socket::UNIX->new(Peer => "/tmp/perl.sock"); print $client "a connection\\n"; exit }
            print scalar readline $server->accept;
            """;

    @TempDir
    Path directory;

    @Test
    void everydayProgramsRunUnderFilter() throws Exception {
        TestEngine.withImage(TestEngine.DEBIAN);
        Path worktree = directory.toRealPath();
        Files.writeString(worktree.resolve("Everyday.java"), JAVA);
        Files.writeString(worktree.resolve("everyday.pl"), PERL);
        SandboxPolicy policy = SandboxPolicy.builder(new PathMapping(worktree, "/work"))
                .mount(new Mount(
                        Path.of(System.getProperty("java.home")).toRealPath(), "/opt/jdk", Mount.Access.READ_ONLY))
                .build();
        try (DockerExecutor executor = DockerExecutor.builder()
                .image(TestEngine.DEBIAN)
                .pullPolicy(PullPolicy.NEVER)
                .policy(policy)
                .build()) {
            assertThat(Runs.of(executor, "/work", "/opt/jdk/bin/java Everyday.java")
                            .out())
                    .isEqualTo("a thread's child\n");
            assertThat(Runs.of(executor, "/work", "perl -MIO::Socket::UNIX everyday.pl")
                            .out())
                    .isEqualTo("a connection\n");
            assertThat(Runs.of(executor, "/work", """
                            git init -q project && cd project && echo text >file && git add file
                            git -c user.name=a -c user.email=a@example.org commit -qm "a commit" && git gc -q && git log --format=%s
                            """).out()).isEqualTo("a commit\n");
            assertThat(Runs.of(executor, "/work", "apt-get -s -o Debug::NoLocking=1 install git | tail -n 1")
                            .out())
                    .contains("0 newly installed");
            assertThat(Runs.of(executor, "/work", "cd project && bash -c 'tar cz file | tar tz'")
                            .out())
                    .endsWith("file\n");
        }
    }
}
