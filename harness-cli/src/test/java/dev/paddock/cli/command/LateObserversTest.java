package dev.paddock.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.executor.ExecutorOptions;
import dev.paddock.executor.HostConnection;
import dev.paddock.executor.policy.NetworkPolicy;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.policy.SandboxPolicy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LateObserversTest {
    private static final HostConnection PUBLISHED =
            HostConnection.builder("localhost").port(3000).publishedAt(8080).build();

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
