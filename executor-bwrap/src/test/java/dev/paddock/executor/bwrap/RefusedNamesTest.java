package dev.paddock.executor.bwrap;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.executor.HostConnection;
import dev.paddock.executor.RunOptions;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.policy.SandboxPolicy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The names that commands look up while the network is off. */
class RefusedNamesTest {
    @TempDir
    Path directory;

    @SuppressWarnings("NullAway.Init") // set before each test
    private Path worktree;

    @SuppressWarnings("NullAway.Init") // set before each test
    private BwrapExecutor.Builder builder;

    @BeforeEach
    void create() throws Exception {
        worktree = Files.createDirectory(directory.toRealPath().resolve("tree"));
        builder = BwrapExecutor.builder()
                .policy(SandboxPolicy.builder(PathMapping.same(worktree)).build())
                .quarantine(directory.resolve("quarantine"));
    }

    private int run(BwrapExecutor executor, String command) throws InterruptedException {
        return executor.run(command, RunOptions.in(worktree.toString()))
                .status()
                .orElseThrow()
                .code();
    }

    @Test
    void eachIsReportedOnceBeforeCommandLearnsThatItDoesNotExist() throws Exception {
        List<HostConnection> seen = new CopyOnWriteArrayList<>();
        try (BwrapExecutor executor = builder.onConnection(seen::add).build()) {
            assertThat(run(executor, "getent hosts one.example")).isEqualTo(2);
            assertThat(run(executor, "getent hosts one.example; getent hosts two.example"))
                    .isEqualTo(2);
        }
        assertThat(seen).extracting(HostConnection::host).containsExactly("one.example", "two.example");
        assertThat(seen)
                .allMatch(connection -> !connection.allowed())
                .allMatch(connection -> connection.reason().orElse("").equals("the network is off"));
    }

    @Test
    void whereNobodyObservesThereIsNoNameServer() throws Exception {
        try (BwrapExecutor executor = builder.build()) {
            assertThat(run(executor, "getent hosts one.example")).isEqualTo(2);
            assertThat(run(executor, "test -e /etc/resolv.conf")).isEqualTo(1);
        }
    }
}
