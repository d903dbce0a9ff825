package dev.paddock.executor.tck.guarantees;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.Guarantee;
import dev.paddock.executor.HostConnection;
import dev.paddock.executor.tck.context.ContractContext;
import dev.paddock.executor.tck.context.Outcome;
import dev.paddock.executor.tck.context.SocketCommands;
import dev.paddock.executor.tck.subject.HostNames;
import java.net.InetAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Tests {@link Guarantee#NETWORK_ALLOWED_HOSTS} for hosts, ports, addresses and reports. */
public interface AllowedHostsContract {

    @Test
    default void G_NETWORK_ALLOWED_HOSTS_reachesHostByItsNameWithoutSetting(ContractContext context) throws Exception {
        AllowedHostsExecutors.assume(context);
        SocketCommands sockets = SocketCommands.of(context);
        try (NamedServer server = NamedServer.start("contract", NamedServer::greet);
                CommandExecutor executor = AllowedHostsExecutors.executor(context, server.rule())) {
            Outcome outcome = AllowedHostsExecutors.run(context, executor, sockets.fetch(server.host(), server.port()));
            assertThat(outcome.out()).as("the answer of an allowed host").contains(NamedServer.GREETING);
            assertThat(outcome.cleanup().notices()).as("notices").isEmpty();
            assertThat(executor.guarantees())
                    .contains(Guarantee.NETWORK_ALLOWED_HOSTS)
                    .doesNotContain(Guarantee.NETWORK_OFF);
        }
    }

    @Test
    default void G_NETWORK_ALLOWED_HOSTS_reachesNoAddress(ContractContext context) throws Exception {
        AllowedHostsExecutors.assume(context);
        SocketCommands sockets = SocketCommands.of(context);
        try (NamedServer server = NamedServer.start("contractaddress", NamedServer::greet);
                CommandExecutor executor = AllowedHostsExecutors.executor(context, server.rule())) {
            assertThat(SocketCommands.canConnect(InetAddress.getLoopbackAddress(), server.port()))
                    .as("whether this JVM reaches 127.0.0.1")
                    .isTrue();
            for (String address : List.of("127.0.0.1", "127.1", "2130706433", "0x7f.1", "198.18.0.1", "198.18.9.9")) {
                assertThat(AllowedHostsExecutors.run(context, executor, sockets.fetch(address, server.port()))
                                .out())
                        .as("the answer to a command that connects to %s", address)
                        .doesNotContain(NamedServer.GREETING);
            }
        }
    }

    @Test
    default void G_NETWORK_ALLOWED_HOSTS_deniesOtherNamesAndReportsThem(ContractContext context) throws Exception {
        AllowedHostsExecutors.assume(context);
        SocketCommands sockets = SocketCommands.of(context);
        String address = "127.0.0.1";
        String other = HostNames.require().give("contractother", address);
        try (NamedServer server = NamedServer.start("contractnames", NamedServer::greet);
                CommandExecutor executor = AllowedHostsExecutors.executor(context, server.rule())) {
            assertThat(SocketCommands.canConnect(InetAddress.getByName(address), server.port()))
                    .as("whether this JVM reaches the address of %s", other)
                    .isTrue();
            Outcome denied = AllowedHostsExecutors.run(context, executor, sockets.fetch(other, server.port()));
            assertThat(denied.out()).as("the answer of %s", other).doesNotContain(NamedServer.GREETING);
            assertThat(denied.cleanup().notices())
                    .as("notices")
                    .anySatisfy(notice -> assertThat(notice)
                            .contains(other + " was not reached: not allowed", "Allowed: " + server.rule() + "."));
            assertThat(AllowedHostsExecutors.run(context, executor, "true")
                            .cleanup()
                            .notices())
                    .as("notices of the next command")
                    .isEmpty();
        }
    }

    @Test
    default void G_NETWORK_ALLOWED_HOSTS_boundsBytesOfRule(ContractContext context) throws Exception {
        AllowedHostsExecutors.assume(context);
        SocketCommands sockets = SocketCommands.of(context);
        try (NamedServer server = NamedServer.start("contractbytes", NamedServer::greet);
                CommandExecutor executor = AllowedHostsExecutors.executor(
                        context, server.rule() + "/" + (2 * NamedServer.GREETING.length()))) {
            Outcome first = AllowedHostsExecutors.run(context, executor, sockets.fetch(server.host(), server.port()));
            assertThat(first.out()).as("within the bound").contains(NamedServer.GREETING);
            assertThat(first.cleanup().notices()).as("notices").isEmpty();
            Outcome second = AllowedHostsExecutors.run(context, executor, sockets.fetch(server.host(), server.port()));
            assertThat(second.out()).as("beyond the bound").doesNotContain(NamedServer.GREETING);
            assertThat(second.cleanup().notices())
                    .singleElement()
                    .asString()
                    .contains("the bytes that its rule", "are used up");
        }
    }

    @Test
    default void G_NETWORK_ALLOWED_HOSTS_refusesOtherPorts(ContractContext context) throws Exception {
        AllowedHostsExecutors.assume(context);
        SocketCommands sockets = SocketCommands.of(context);
        try (NamedServer server = NamedServer.start("contractports", NamedServer::greet);
                NamedServer other = NamedServer.start("contractports", NamedServer::greet);
                CommandExecutor executor = AllowedHostsExecutors.executor(context, server.rule())) {
            assertThat(SocketCommands.canConnect(InetAddress.getByName(other.host()), other.port()))
                    .as("whether this JVM reaches the other port")
                    .isTrue();
            assertThat(AllowedHostsExecutors.run(context, executor, sockets.fetch(other.host(), other.port()))
                            .out())
                    .as("the answer of another port of the allowed host")
                    .doesNotContain(NamedServer.GREETING);
        }
    }

    @Test
    default void G_NETWORK_ALLOWED_HOSTS_refusesPrivateAddressesWithoutTheirGrant(ContractContext context)
            throws Exception {
        AllowedHostsExecutors.assume(context);
        SocketCommands sockets = SocketCommands.of(context);
        try (NamedServer server = NamedServer.start("contractprivate", NamedServer::greet);
                CommandExecutor executor =
                        AllowedHostsExecutors.executor(context, server.host() + ":" + server.port())) {
            Outcome refused = AllowedHostsExecutors.run(context, executor, sockets.fetch(server.host(), server.port()));
            assertThat(refused.out()).doesNotContain(NamedServer.GREETING);
            assertThat(refused.cleanup().notices())
                    .singleElement()
                    .asString()
                    .contains("127.0.0.1 is private", "/private");
        }
    }

    @Test
    default void G_NETWORK_ALLOWED_HOSTS_refusesHostWithOneForbiddenAddress(ContractContext context) throws Exception {
        AllowedHostsExecutors.assume(context);
        SocketCommands sockets = SocketCommands.of(context);
        String mixed = HostNames.require().give("contractmixed", "127.0.0.1", "169.254.169.254");
        try (NamedServer server = NamedServer.start("contractunmixed", NamedServer::greet);
                CommandExecutor executor =
                        AllowedHostsExecutors.executor(context, mixed + ":" + server.port() + "/private")) {
            Outcome refused = AllowedHostsExecutors.run(context, executor, sockets.fetch(mixed, server.port()));
            assertThat(refused.out()).doesNotContain(NamedServer.GREETING);
            assertThat(refused.cleanup().notices())
                    .singleElement()
                    .asString()
                    .contains("169.254.169.254 is of a special use");
        }
    }

    @Test
    default void G_NETWORK_ALLOWED_HOSTS_leavesCommandsTheirLoopback(ContractContext context) throws Exception {
        AllowedHostsExecutors.assume(context);
        SocketCommands sockets = SocketCommands.of(context);
        int port = SocketCommands.freePort();
        try (CommandExecutor executor = AllowedHostsExecutors.executor(context, "host.paddock.example")) {
            context.start(executor, sockets.serve(port, "hello from a neighbour"), context.options());
            Awaitility.await("a server in one command answers the next one on localhost")
                    .pollInSameThread()
                    .atMost(context.patience())
                    .until(() -> AllowedHostsExecutors.run(context, executor, sockets.fetch(port))
                            .out()
                            .contains("hello from a neighbour"));
        }
    }

    @Test
    default void G_NETWORK_ALLOWED_HOSTS_reportsEachConnectionToItsObservers(ContractContext context) throws Exception {
        AllowedHostsExecutors.assume(context);
        SocketCommands sockets = SocketCommands.of(context);
        List<HostConnection> seen = new CopyOnWriteArrayList<>();
        String other = HostNames.require().give("contractunseen", "127.0.0.1");
        try (NamedServer server = NamedServer.start("contractseen", NamedServer::greet)) {
            try (CommandExecutor executor = AllowedHostsExecutors.executor(
                    context, options -> options.onConnection(seen::add), server.rule())) {
                AllowedHostsExecutors.run(context, executor, sockets.fetch(server.host(), server.port()));
                AllowedHostsExecutors.run(context, executor, sockets.fetch(other, server.port()));
            }
            assertThat(seen)
                    .as("connections reported")
                    .filteredOn(HostConnection::allowed)
                    .singleElement()
                    .satisfies(connection -> {
                        assertThat(connection.host()).isEqualTo(server.host());
                        assertThat(connection.port()).hasValue(server.port());
                        assertThat(connection.receivedBytes()).isEqualTo(NamedServer.GREETING.length() + 1);
                    });
            assertThat(seen)
                    .filteredOn(connection -> !connection.allowed())
                    .isNotEmpty()
                    .allSatisfy(connection -> {
                        assertThat(connection.host()).startsWith(other);
                        assertThat(connection.port()).isEmpty();
                        assertThat(connection.reason()).contains("not allowed");
                    });
        }
    }
}
