package dev.paddock.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.executor.ExecutorOptions;
import dev.paddock.executor.HostConnection;
import dev.paddock.executor.policy.NetworkPolicy;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.policy.SandboxPolicy;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class LateObserversTest {
    private static final HostConnection PUBLISHED = new HostConnection(
            "localhost",
            OptionalInt.of(3000),
            true,
            Optional.empty(),
            1,
            2,
            Instant.EPOCH,
            Duration.ZERO,
            OptionalInt.of(8080));

    @Test
    void inOpenNetworkConnectionsToPublishedPortsAreObserved() {
        SandboxPolicy open = SandboxPolicy.builder(PathMapping.same(Path.of("/work")))
                .network(NetworkPolicy.open())
                .build();
        List<HostConnection> seen = new ArrayList<>();
        LateObservers observers = new LateObservers();
        observers.approveHosts((host, port) -> true);
        ExecutorOptions options = observers.addTo(ExecutorOptions.of(open));
        observers.observe(seen::add);
        options.connections().orElseThrow().accept(PUBLISHED);
        assertThat(seen).containsExactly(PUBLISHED);
        assertThat(options.hostApprover()).isEmpty();
    }
}
