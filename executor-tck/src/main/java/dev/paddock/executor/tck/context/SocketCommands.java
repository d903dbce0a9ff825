package dev.paddock.executor.tck.context;

import static org.junit.jupiter.api.Assumptions.abort;

import dev.paddock.executor.ShellQuoting;
import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NoRouteToHostException;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/** Commands that open sockets, with a program available on the executor's side. */
public enum SocketCommands {
    PERL {
        @Override
        public String serve(int port, String greeting) {
            return "exec perl -MIO::Socket::INET -e "
                    + ShellQuoting.posix("$s = IO::Socket::INET->new(Listen => 5, ReuseAddr => 1, "
                            + "LocalAddr => '127.0.0.1', LocalPort => " + port + ") or die $!; "
                            + "while ($c = $s->accept) { print $c \"" + greeting + "\\n\"; close $c }");
        }

        @Override
        public String fetch(String address, int port) {
            return "perl -MIO::Socket::INET -e "
                    + ShellQuoting.posix("$c = IO::Socket::INET->new(Timeout => 20, PeerAddr => '" + address
                            + "', PeerPort => " + port + ") or die $!; print <$c>");
        }
    },
    NETCAT {
        @Override
        public String serve(int port, String greeting) {
            // Not every netcat accepts a listen address.
            return "while :; do echo '" + greeting + "' | { nc -l -s 127.0.0.1 -p " + port + " 2>/dev/null || nc -l -p "
                    + port + "; }; done";
        }

        @Override
        public String fetch(String address, int port) {
            return "nc -w 20 " + address + " " + port + " < /dev/null";
        }
    };

    /** Returns a command that answers every connection with a line. */
    public abstract String serve(int port, String greeting);

    /** Returns a command that connects and prints the answer. */
    public abstract String fetch(String address, int port);

    public String fetch(int port) {
        return fetch("127.0.0.1", port);
    }

    /** Returns the available one; the test is skipped if there is none. */
    public static SocketCommands of(ContractContext context) throws InterruptedException {
        if (context.hasTools(List.of("perl"))) {
            return PERL;
        }
        if (context.hasTools(List.of("nc"))) {
            return NETCAT;
        }
        return abort("there is neither perl nor nc where " + context.executor().name() + " runs its commands");
    }

    /** Returns a port that nobody listens on. */
    public static int freePort() throws IOException {
        int port;
        do {
            port = ThreadLocalRandom.current().nextInt(10_000, 30_000); // below the ephemeral ports
        } while (!isFree(port));
        return port;
    }

    private static boolean isFree(int port) throws IOException {
        try (ServerSocket free = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return free.isBound();
        } catch (BindException taken) {
            return false;
        }
    }

    /** Returns whether something accepts connections there; an address of an interface that is gone has nothing. */
    public static boolean canConnect(InetAddress address, int port) throws IOException {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(address, port), 20_000);
            return true;
        } catch (ConnectException | NoRouteToHostException | BindException unreachable) {
            return false;
        }
    }
}
