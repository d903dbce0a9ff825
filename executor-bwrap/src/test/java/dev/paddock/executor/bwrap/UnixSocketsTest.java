package dev.paddock.executor.bwrap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paddock.executor.CommandResult;
import dev.paddock.executor.RunOptions;
import dev.paddock.executor.UnsupportedPolicyException;
import dev.paddock.executor.policy.NetworkPolicy;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.policy.SandboxPolicy;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests a server of the host's that listens on a unix socket in the worktree. */
@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class UnixSocketsTest {
    private static final String CONNECT =
            "perl -MSocket -e 'socketpair(A, B, AF_UNIX, SOCK_STREAM, PF_UNSPEC) or die \"no pair\";"
                    + " socket(S, PF_UNIX, SOCK_STREAM, 0) && connect(S, pack_sockaddr_un(\"server\")) or die \"$!\";"
                    + " print \"connected\"'";

    @TempDir
    Path directory;

    private Path worktree = Path.of("/");

    @BeforeEach
    void make() throws Exception {
        worktree = Files.createDirectory(directory.toRealPath().resolve("tree"));
    }

    private CommandResult connect(NetworkPolicy network, boolean allowed) throws Exception {
        SandboxPolicy policy = SandboxPolicy.builder(PathMapping.same(worktree))
                .network(network)
                .unixSockets(allowed)
                .build();
        try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)
                        .bind(UnixDomainSocketAddress.of(worktree.resolve("server")));
                BwrapExecutor executor = builder(policy).build()) {
            assertThat(server.isOpen()).isTrue();
            return executor.run(CONNECT, RunOptions.in(worktree.toString()));
        } finally {
            Files.deleteIfExists(worktree.resolve("server"));
        }
    }

    private BwrapExecutor.Builder builder(SandboxPolicy policy) {
        return BwrapExecutor.builder().policy(policy).quarantine(directory.resolve("quarantine"));
    }

    @Test
    void hostSocketIsReachedUnlessPolicyAllowsNoUnixSockets() throws Exception {
        assertThat(connect(NetworkPolicy.off(), true).outText()).isEqualTo("connected");
        assertThat(connect(NetworkPolicy.off(), false).errText()).contains("Operation not permitted");
    }

    /** The page promises what this test and the one above show, and no more. */
    @Test
    void hostSocketIsNotReachedWithNetworkOpenAsSecurityPageSays() throws Exception {
        assertThat(connect(NetworkPolicy.open(), true).errText()).contains("Operation not permitted");
        assertThat(Files.readAllLines(Path.of("..", "SECURITY.md")))
                .filteredOn(line -> line.startsWith("| Unix sockets in the worktree and grants, "))
                .singleElement()
                .asString()
                .contains(" | no | only with the network open, or [`unix-sockets: off`](docs/configuration.md) | ");
    }

    @Test
    void noUnixSocketsAndAllowedHostsAreRefusedTogether() {
        SandboxPolicy policy = SandboxPolicy.builder(PathMapping.same(worktree))
                .network(NetworkPolicy.allow("example.org"))
                .unixSockets(false)
                .build();

        assertThatThrownBy(() -> builder(policy).build())
                .isInstanceOf(UnsupportedPolicyException.class)
                .hasMessageContaining("keep commands from unix sockets");
    }
}
