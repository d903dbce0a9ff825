package dev.paddock.executor.tck.guarantees;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.paddock.executor.Guarantee;
import dev.paddock.executor.PublishedPort;
import dev.paddock.executor.SpawnException;
import dev.paddock.executor.tck.context.ContractContext;
import dev.paddock.executor.tck.context.Running;
import dev.paddock.executor.tck.context.SocketCommands;
import dev.paddock.executor.tck.subject.FarSide;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests {@link Guarantee#PUBLISHED_PORTS}. */
public interface PublishedPortContract {
    String ANSWER = "hello from the command";

    @Test
    default void G_PUBLISHED_PORTS_refusedWhereItIsNotClaimed(ContractContext context) throws Exception {
        assumeFalse(context.claims(Guarantee.PUBLISHED_PORTS), "the executor publishes ports");
        assertThatThrownBy(() -> context.spawn(": > ran", context.options().publish(new PublishedPort(0, 3000))))
                .as("a command that publishes a port")
                .isInstanceOf(SpawnException.class)
                .hasMessageContaining("3000");
        assertThat(context.run("[ -e ran ] || echo nothing").succeeded()).isEqualTo("nothing\n");
    }

    @Test
    default void G_PUBLISHED_PORTS_thisMachineReachesCommandAtOneAddressUntilItEnds(ContractContext context)
            throws Exception {
        context.assumeClaimed(Guarantee.PUBLISHED_PORTS);
        int port = SocketCommands.freePort();
        Running server = context.start(
                SocketCommands.of(context).serve(port, ANSWER),
                context.options().publish(new PublishedPort(0, port)));
        assertThat(server.process().published())
                .singleElement()
                .satisfies(published -> assertThat(published.port()).isEqualTo(port));
        int here = server.process().published().get(0).hostPort();
        assertThat(answer(context, here)).as("the answer").contains(ANSWER);
        assertThat(answer(context, here)).as("the answer to another connection").contains(ANSWER);
        for (InetAddress address : others()) {
            assertThat(SocketCommands.canConnect(address, here))
                    .as("whether it is reached at %s", address)
                    .isFalse();
        }
        server.process().close();
        server.outcome();
        assertThat(SocketCommands.canConnect(loopback(), here))
                .as("whether it is reached after its end")
                .isFalse();
    }

    @Test
    default void G_PUBLISHED_PORTS_connectionWaitsForCommandToListen(ContractContext context) throws Exception {
        context.assumeClaimed(Guarantee.PUBLISHED_PORTS);
        int port = SocketCommands.freePort();
        FarSide.Pipe gate = context.gate("listen");
        Running server = context.start(
                "read x < listen; " + SocketCommands.of(context).serve(port, ANSWER),
                context.options().publish(new PublishedPort(0, port)));
        try (Socket early = connect(context, server.process().published().get(0).hostPort())) {
            gate.release();
            assertThat(answer(early)).contains(ANSWER);
        }
    }

    @Test
    default void G_PUBLISHED_PORTS_twoCommandsCannotHaveOnePortOfThisMachine(ContractContext context) throws Exception {
        context.assumeClaimed(Guarantee.PUBLISHED_PORTS);
        PublishedPort wanted = new PublishedPort(SocketCommands.freePort(), 3000);
        Running first =
                context.start("read x < " + context.never(), context.options().publish(wanted));
        assertThat(first.process().published()).containsExactly(wanted);
        assertThatThrownBy(() -> context.spawn(": > ran", context.options().publish(wanted)))
                .as("a second command with the port")
                .isInstanceOf(SpawnException.class)
                .hasMessageContaining("port " + wanted.hostPort() + " of this machine is in use");
        assertThat(context.run("[ -e ran ] || echo nothing").succeeded()).isEqualTo("nothing\n");
        first.process().close();
        first.outcome();
        Running next =
                context.start("read x < " + context.never(), context.options().publish(wanted));
        assertThat(next.process().published()).as("after the end of the first").containsExactly(wanted);
        next.process().close();
    }

    private static InetAddress loopback6() throws IOException {
        byte[] address = new byte[16];
        address[15] = 1;
        return InetAddress.getByAddress(address);
    }

    private static InetAddress loopback() throws IOException {
        return InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
    }

    /** Returns addresses of this machine at which a published port must not be reached. */
    private static List<InetAddress> others() throws IOException {
        return Stream.concat(
                        Stream.of(InetAddress.getByAddress(new byte[] {127, 0, 0, 2}), loopback6()),
                        NetworkInterface.networkInterfaces().flatMap(NetworkInterface::inetAddresses))
                .filter(address -> !address.getHostAddress().equals("127.0.0.1"))
                .toList();
    }

    private static Socket connect(ContractContext context, int port) throws IOException {
        Socket socket = new Socket();
        socket.setSoTimeout((int) context.patience().toMillis());
        socket.connect(new InetSocketAddress(loopback(), port), (int)
                context.patience().toMillis());
        return socket;
    }

    private static String answer(ContractContext context, int port) throws IOException {
        try (Socket socket = connect(context, port)) {
            return answer(socket);
        }
    }

    private static String answer(Socket socket) throws IOException {
        return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
}
