package dev.paddock.executor.seatbelt;

import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.CommandResult;
import dev.paddock.executor.RunOptions;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Proves on this machine that a command reaches the proxy's port, but no other port of the
 * loopback or of another interface. The JVM listens on all of them, so only the sandbox can
 * block the connection.
 */
final class ProxyPortProof {
    private static final Duration LIMIT = Duration.ofSeconds(10);

    /** Connects to each address and prints the status; uses bash, since sh has no /dev/tcp. */
    private static final String CONNECT =
            "/bin/bash -c 'for place; do (exec 3<>\"/dev/tcp/$place\") 2>/dev/null; echo $?; done' bash";

    private ProxyPortProof() {}

    /**
     * Tests the sandbox.
     *
     * @param commands runs a command in the sandbox
     * @param directory the command's directory
     * @param proxy the proxy's address
     * @return a clause with the reason why it is not proven; empty if it is
     * @throws IOException if the JVM cannot listen
     */
    static Optional<String> obstacle(CommandExecutor commands, String directory, InetSocketAddress proxy)
            throws IOException {
        List<ServerSocketChannel> others = new ArrayList<>();
        try {
            others.add(listen(proxy.getAddress()));
            Optional<InetAddress> elsewhere = elsewhere();
            if (elsewhere.isPresent()) {
                others.add(listen(elsewhere.get()));
            }
            return obstacle(commands, directory, proxy, others);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return Optional.of("the proof was interrupted");
        } finally {
            for (ServerSocketChannel other : others) {
                other.close();
            }
        }
    }

    private static Optional<String> obstacle(
            CommandExecutor commands, String directory, InetSocketAddress proxy, List<ServerSocketChannel> others)
            throws IOException, InterruptedException {
        StringBuilder command = new StringBuilder(CONNECT).append(place(proxy));
        for (ServerSocketChannel other : others) {
            command.append(place(address(other)));
        }
        CommandResult result =
                commands.run(command.toString(), RunOptions.in(directory).timeout(LIMIT));
        for (ServerSocketChannel other : others) {
            try (SocketChannel reached = other.accept()) {
                if (reached != null) {
                    return Optional.of("a command reached " + address(other) + ", which is not the proxy");
                }
            }
        }
        List<String> statuses = result.outText().lines().toList();
        if (statuses.size() != others.size() + 1) {
            return Optional.of("the test command ended with " + result.outcome() + " " + result.errText());
        }
        return statuses.get(0).equals("0")
                ? Optional.empty()
                : Optional.of("a command does not reach the proxy at " + proxy);
    }

    private static ServerSocketChannel listen(InetAddress address) throws IOException {
        ServerSocketChannel listener = ServerSocketChannel.open();
        listener.bind(new InetSocketAddress(address, 0));
        listener.configureBlocking(false);
        return listener;
    }

    private static InetSocketAddress address(ServerSocketChannel listener) {
        return new InetSocketAddress(
                listener.socket().getInetAddress(), listener.socket().getLocalPort());
    }

    private static String place(InetSocketAddress address) {
        return " " + address.getAddress().getHostAddress() + "/" + address.getPort();
    }

    /** Returns an address of this machine that is not the loopback's, if it has one. */
    private static Optional<InetAddress> elsewhere() throws IOException {
        return NetworkInterface.networkInterfaces()
                .flatMap(NetworkInterface::inetAddresses)
                .filter(address -> address instanceof Inet4Address && !address.isLoopbackAddress())
                .findFirst();
    }
}
