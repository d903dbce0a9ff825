package dev.paddock.executor.network;

import dev.paddock.executor.os.io.DaemonThreads;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.LockSupport;

/** The sandbox's name server: over UDP, and over TCP for programs that prefer it. */
final class NameServer {
    /** An address of the loopback that programs do not use by default. */
    static final byte[] ADDRESS = {127, 83, 0, 53};

    static final int PORT = 53;

    private static final int MAX_QUERY_LENGTH = 4096;
    private static final int MAX_CONNECTIONS = 32;

    /** A command that asks without a pause would otherwise occupy a processor outside its limits. */
    private static final int MAX_ANSWERS_PER_SECOND = 1_000;

    private static final long SECOND_NANOS = 1_000_000_000;
    private static final int PATIENCE_MILLIS = 5000;

    private final NameAnswers answers;
    private final Semaphore connections = new Semaphore(MAX_CONNECTIONS);

    NameServer(NameAnswers answers) {
        this.answers = answers;
    }

    /** Serves both sockets until they are closed. */
    void serve(DatagramChannel datagrams, ServerSocketChannel stream) {
        DaemonThreads.virtual("paddock-names").start(() -> answer(datagrams));
        Accepting.start(stream, this::accepted);
    }

    void answer(DatagramChannel datagrams) {
        ByteBuffer query = ByteBuffer.allocate(MAX_QUERY_LENGTH);
        long begun = System.nanoTime();
        int received = 0;
        while (datagrams.isOpen()) {
            if (received++ == MAX_ANSWERS_PER_SECOND) {
                LockSupport.parkNanos(begun + SECOND_NANOS - System.nanoTime()); // returns at once if that is past
                begun = System.nanoTime();
                received = 1;
            }
            try {
                query.clear();
                SocketAddress from = datagrams.receive(query);
                byte[] bytes = new byte[query.flip().remaining()];
                query.get(bytes);
                Optional<byte[]> answer = answers.answer(bytes);
                if (from != null && answer.isPresent()) {
                    datagrams.send(ByteBuffer.wrap(answer.get()), from);
                }
            } catch (IOException fault) {
                // Closed, or the client has exited: drop an answer that cannot be sent.
                Accepting.LOG.log(System.Logger.Level.DEBUG, "A DNS query was not answered", fault);
            }
        }
    }

    private void accepted(SocketChannel connection) {
        if (!connections.tryAcquire()) {
            Relay.closeQuietly(connection);
            return;
        }
        DaemonThreads.virtual("paddock-names-tcp").start(() -> {
            try (connection) {
                connection.socket().setSoTimeout(PATIENCE_MILLIS);
                DataInputStream in = new DataInputStream(connection.socket().getInputStream());
                DataOutputStream out = new DataOutputStream(connection.socket().getOutputStream());
                while (true) {
                    byte[] query = in.readNBytes(in.readUnsignedShort());
                    Optional<byte[]> answer = answers.answer(query);
                    if (answer.isEmpty()) {
                        return;
                    }
                    ByteBuffer framed = ByteBuffer.allocate(2 + answer.get().length);
                    framed.putShort((short) answer.get().length).put(answer.get());
                    out.write(framed.array());
                    out.flush();
                }
            } catch (IOException ended) {
                Accepting.LOG.log(System.Logger.Level.TRACE, "A DNS connection has ended", ended);
            } finally {
                connections.release();
            }
        });
    }
}
