package dev.paddock.harness;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/** Commands that run servers on localhost, with perl, which is available on each backend. */
final class Servers {
    private Servers() {}

    static int freePort() throws IOException {
        int port;
        do {
            port = ThreadLocalRandom.current().nextInt(10_000, 30_000); // below those that connections are given
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

    /** Returns a command that reports that it listens, and then answers every connection. */
    static String serve(int port, String answer) {
        return "exec perl -MIO::Socket::INET -e '$| = 1; $s = IO::Socket::INET->new(Listen => 5, ReuseAddr => 1, "
                + "LocalAddr => \"127.0.0.1\", LocalPort => " + port
                + ") or die \"no port: $!\"; print \"listening\\n\"; "
                + "while ($c = $s->accept) { print $c \"" + answer + "\\n\"; close $c }'";
    }

    static String fetch(int port) {
        return "perl -MIO::Socket::INET -e '$c = IO::Socket::INET->new(PeerAddr => \"127.0.0.1\", PeerPort => " + port
                + ") or die \"nobody there: $!\"; print <$c>'";
    }
}
