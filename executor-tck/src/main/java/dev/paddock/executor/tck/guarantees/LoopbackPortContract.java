package dev.paddock.executor.tck.guarantees;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.ExecutorOptions;
import dev.paddock.executor.Guarantee;
import dev.paddock.executor.HostConnection;
import dev.paddock.executor.UnsupportedPolicyException;
import dev.paddock.executor.tck.context.ContractContext;
import dev.paddock.executor.tck.context.Outcome;
import dev.paddock.executor.tck.context.SocketCommands;
import java.net.InetAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Tests {@link Guarantee#NETWORK_ALLOWED_HOSTS} for single ports of the machine's loopback. */
public interface LoopbackPortContract {

    @Test
    default void G_NETWORK_ALLOWED_HOSTS_reachesOnePortOfLoopbackAndNoOther(ContractContext context) throws Exception {
        AllowedHostsExecutors.assume(context);
        SocketCommands sockets = SocketCommands.of(context);
        List<HostConnection> seen = new CopyOnWriteArrayList<>();
        try (NamedServer server = NamedServer.start("contractloopback", NamedServer::greet);
                NamedServer other = NamedServer.start("contractloopbackother", NamedServer::greet)) {
            try (CommandExecutor executor =
                    executor(context, options -> options.onConnection(seen::add), "localhost:" + server.port())) {
                for (String address : List.of("localhost", "127.0.0.1")) {
                    Outcome outcome =
                            AllowedHostsExecutors.run(context, executor, sockets.fetch(address, server.port()));
                    assertThat(outcome.out()).as("the answer at %s", address).contains(NamedServer.GREETING);
                    assertThat(outcome.cleanup().notices()).as("notices").isEmpty();
                }
                assertThat(SocketCommands.canConnect(InetAddress.getLoopbackAddress(), other.port()))
                        .as("whether this JVM reaches the other port")
                        .isTrue();
                for (String address : List.of(
                        "localhost", "127.0.0.1", "127.0.0.2", "0.0.0.0", "2130706433", "localhost.", "198.18.0.2")) {
                    assertThat(AllowedHostsExecutors.run(context, executor, sockets.fetch(address, other.port()))
                                    .out())
                            .as("the answer of another port at %s", address)
                            .doesNotContain(NamedServer.GREETING);
                }
                for (String address : List.of("127.0.0.2", "198.18.0.1", "198.18.0.2", other.host())) {
                    assertThat(AllowedHostsExecutors.run(context, executor, sockets.fetch(address, server.port()))
                                    .out())
                            .as("the answer of the allowed port at %s", address)
                            .doesNotContain(NamedServer.GREETING);
                }
            }
            assertThat(seen)
                    .as("connections reported")
                    .filteredOn(HostConnection::allowed)
                    .hasSize(2)
                    .allSatisfy(connection -> {
                        assertThat(connection.host()).isEqualTo("localhost");
                        assertThat(connection.port()).hasValue(server.port());
                        assertThat(connection.receivedBytes()).isEqualTo(NamedServer.GREETING.length() + 1);
                    });
        }
    }

    @Test
    default void G_NETWORK_ALLOWED_HOSTS_reachesPortOfLoopbackByNameBesideCommandsOwn(ContractContext context)
            throws Exception {
        AllowedHostsExecutors.assume(context);
        SocketCommands sockets = SocketCommands.of(context);
        String neighbour = "hello from a neighbour";
        try (NamedServer server = NamedServer.start("contractbeside", NamedServer::greet);
                CommandExecutor executor = executor(context, "host.internal:" + server.port())) {
            assertThat(AllowedHostsExecutors.run(context, executor, sockets.fetch("host.internal", server.port()))
                            .out())
                    .as("the answer of the machine's server")
                    .contains(NamedServer.GREETING);
            assertThat(AllowedHostsExecutors.run(context, executor, sockets.fetch(server.port()))
                            .out())
                    .as("the answer of the commands' own loopback")
                    .doesNotContain(NamedServer.GREETING);
            // Some netcats listen on every address, one of which is in use.
            assumeTrue(sockets == SocketCommands.PERL, "no program that listens at one address");
            context.start(executor, sockets.serve(server.port(), neighbour), context.options());
            Awaitility.await("a server of a command listens on the same port of localhost")
                    .pollInSameThread()
                    .atMost(context.patience())
                    .until(() -> AllowedHostsExecutors.run(context, executor, sockets.fetch(server.port()))
                            .out()
                            .contains(neighbour));
        }
    }

    private static CommandExecutor executor(ContractContext context, String rule) {
        return executor(context, UnaryOperator.identity(), rule);
    }

    /** Creates an executor; skips the test if single ports are refused, which requires a reason. */
    private static CommandExecutor executor(ContractContext context, UnaryOperator<ExecutorOptions> more, String rule) {
        try {
            return AllowedHostsExecutors.executor(context, more, rule);
        } catch (UnsupportedPolicyException refused) {
            assertThat(refused).hasMessageContaining(rule).hasMessageContaining("loopback");
            return abort(context.executor().name() + " refuses ports of the loopback: " + refused.getMessage());
        }
    }
}
