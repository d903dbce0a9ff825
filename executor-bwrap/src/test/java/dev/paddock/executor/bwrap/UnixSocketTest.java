package dev.paddock.executor.bwrap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.RunOptions;
import dev.paddock.executor.policy.NetworkPolicy;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.policy.SandboxPolicy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Unix sockets among the programs of a sandbox; the escapes show that no socket of the host's is reached. */
@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class UnixSocketTest {
    @TempDir
    private Path directory;

    @ParameterizedTest
    @ValueSource(strings = {"/tmp/socket", "\\0abstract"})
    void programsReachEachOtherIfNetworkIsSandboxs(String address) throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/perl")), "this host has no perl");

        assertThat(connect(NetworkPolicy.off(), address)).isEqualTo("connected\n");
        assertThat(connect(NetworkPolicy.open(), address))
                .as("in the host's network namespace")
                .startsWith("Operation not permitted");
    }

    private String connect(NetworkPolicy network, String address) throws Exception {
        SandboxPolicy policy = SandboxPolicy.builder(PathMapping.same(directory.toRealPath()))
                .network(network)
                .build();
        try (CommandExecutor executor =
                BwrapExecutor.builder().policy(policy).warmSlots(0).build()) {
            return executor.run(
                            "perl -MSocket -e 'my $a = pack_sockaddr_un(\"" + address
                                    + "\"); socket(S, AF_UNIX, SOCK_STREAM, 0) or print(\"$!\\n\"), exit; bind(S, $a) or"
                                    + " die; listen(S, 1); socket(C, AF_UNIX, SOCK_STREAM, 0) and connect(C, $a) and"
                                    + " print \"connected\\n\"'",
                            RunOptions.in(policy.worktree().commandPath()))
                    .outText();
        }
    }
}
