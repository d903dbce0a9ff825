package dev.paddock.executor.network;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * The streams of a relayed connection: counts their bytes, ends an idle connection, and names the side at fault in
 * messages.
 */
final class ConnectionTraffic {
    private static final int SMALL = 1 << 13;
    private static final int LARGE = 1 << 17;

    private static final int OPENING_MILLIS = 30_000;

    private static final int CHECK_MILLIS = 60_000;

    private static final int IDLE_MINUTES = 60;

    /** The idle limit once one side has ended, as a killed command may leave it. */
    private static final int HALF_CLOSED_IDLE_MINUTES = 5;

    private static final long MINUTE_NANOS = 60_000_000_000L;

    /**
     * The clock and the idle checks.
     *
     * @param nanoTime the clock
     * @param checkMillis how often a waiting stream checks whether the connection is idle
     */
    record Timing(LongSupplier nanoTime, int checkMillis) {
        static final Timing REAL = new Timing(System::nanoTime, CHECK_MILLIS);
    }

    /**
     * The names of the two sides in messages.
     *
     * @param near the side that has connected
     * @param far the side to which the connection is relayed
     */
    record Sides(String near, String far) {
        static final Sides OF_A_COMMAND = new Sides("the command", "the host");
        static final Sides OF_A_PUBLISHED_PORT = new Sides("the program that connected", "the command");
    }

    /**
     * A direction of the bytes.
     *
     * @param from the sender, for messages
     * @param to the receiver, for messages
     * @param count the relayed bytes
     */
    private record Direction(String from, String to, AtomicLong count) {}

    private final Timing timing;
    private final ByteAllowance allowance;
    private final Direction toHost;
    private final Direction toCommand;
    private volatile long active;
    private volatile boolean isOpen;
    private volatile boolean isHalfClosed;

    /**
     * Creates the streams' counters.
     *
     * @param allowance the rule's, shared by all its connections
     */
    ConnectionTraffic(Timing timing, ByteAllowance allowance) {
        this(timing, Sides.OF_A_COMMAND, allowance);
    }

    /**
     * Creates the streams' counters.
     *
     * @param sides for messages
     * @param allowance the rule's, shared by all its connections
     */
    ConnectionTraffic(Timing timing, Sides sides, ByteAllowance allowance) {
        this.timing = timing;
        this.allowance = allowance;
        toHost = new Direction(sides.near(), sides.far(), new AtomicLong());
        toCommand = new Direction(sides.far(), sides.near(), new AtomicLong());
        active = timing.nanoTime().getAsLong();
    }

    /** Returns how many bytes were relayed to the host. */
    long sent() {
        return toHost.count().get();
    }

    /** Returns how many bytes were relayed to the command. */
    long received() {
        return toCommand.count().get();
    }

    /** Returns the command's bytes, the first of which must come soon. */
    InputStream opening(SocketChannel command) throws IOException {
        command.socket().setSoTimeout(OPENING_MILLIS);
        return new Watched(command.socket().getInputStream(), toHost.from());
    }

    /** Allows both sides long pauses from now on. */
    void opened(SocketChannel command, SocketChannel host) throws IOException {
        isOpen = true;
        active = timing.nanoTime().getAsLong();
        command.socket().setSoTimeout(timing.checkMillis());
        host.socket().setSoTimeout(timing.checkMillis());
    }

    void halfClosed() {
        isHalfClosed = true;
    }

    /** Relays the command's bytes to the host until the command ends its output. */
    void copyToHost(SocketChannel command, SocketChannel host) throws IOException {
        copy(command, host, toHost);
    }

    /** Relays the host's bytes to the command until the host ends its output. */
    void copyToCommand(SocketChannel host, SocketChannel command) throws IOException {
        copy(host, command, toCommand);
    }

    private void copy(SocketChannel from, SocketChannel to, Direction direction) throws IOException {
        InputStream in = new Watched(from.socket().getInputStream(), direction.from());
        OutputStream out = new Counted(Channels.newOutputStream(to), direction);
        byte[] block = new byte[SMALL];
        for (int length = in.read(block); length >= 0; length = in.read(block)) {
            out.write(block, 0, length);
            if (length == block.length && !burst(in, from, to, direction) && block.length < LARGE) {
                block = new byte[LARGE];
            }
        }
        isHalfClosed = true;
    }

    /** Relays many bytes at once; returns whether that was possible. */
    private boolean burst(InputStream in, SocketChannel from, SocketChannel to, Direction direction)
            throws IOException {
        Optional<BulkBuffer> borrowed = BulkBuffer.borrow();
        if (borrowed.isEmpty()) {
            return false;
        }
        try (BulkBuffer bulk = borrowed.get()) {
            // Only bytes that have arrived: a channel's read has no time limit, and must not block.
            while (in.available() > 0) {
                pass(from, bulk.bytes(), to, direction);
            }
        }
        return true;
    }

    private void pass(SocketChannel from, ByteBuffer bytes, SocketChannel to, Direction direction) throws IOException {
        try {
            from.read(bytes);
        } catch (IOException fault) {
            throw of(direction.from(), fault);
        }
        int length = bytes.flip().remaining();
        allowance.take(length);
        try {
            while (bytes.hasRemaining()) {
                to.write(bytes);
            }
        } catch (IOException fault) {
            throw of(direction.to(), fault);
        }
        passed(length, direction);
    }

    private void passed(int length, Direction direction) {
        active = timing.nanoTime().getAsLong();
        direction.count().addAndGet(length);
    }

    InputStream fromHost(SocketChannel host) throws IOException {
        return new Watched(host.socket().getInputStream(), toCommand.from());
    }

    OutputStream toHost(SocketChannel host) {
        return new Counted(Channels.newOutputStream(host), toHost);
    }

    OutputStream toCommand(SocketChannel command) {
        return new Counted(Channels.newOutputStream(command), toCommand);
    }

    private void checkIdle(SocketTimeoutException silent) throws IOException {
        int minutes = isHalfClosed ? HALF_CLOSED_IDLE_MINUTES : IDLE_MINUTES;
        if (timing.nanoTime().getAsLong() - active > minutes * MINUTE_NANOS) {
            throw new IOException("it was idle for " + minutes + " minutes", silent);
        }
    }

    private static IOException of(String side, IOException fault) {
        return new IOException(side + ": " + fault.getMessage(), fault);
    }

    /** Reads; a silent side is idle only if the other is, too. */
    private final class Watched extends InputStream {
        private final InputStream in;
        private final String side;

        Watched(InputStream in, String side) {
            this.in = in;
            this.side = side;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            while (true) {
                try {
                    int count = in.read(bytes, offset, length);
                    active = timing.nanoTime().getAsLong();
                    return count;
                } catch (SocketTimeoutException silent) {
                    if (!isOpen) {
                        throw new IOException(side + ": nothing came for " + OPENING_MILLIS / 1000 + " s", silent);
                    }
                    checkIdle(silent);
                } catch (IOException fault) {
                    throw of(side, fault);
                }
            }
        }

        @Override
        public int available() throws IOException {
            return in.available();
        }
    }

    private final class Counted extends OutputStream {
        private final OutputStream out;
        private final Direction direction;

        Counted(OutputStream out, Direction direction) {
            this.out = out;
            this.direction = direction;
        }

        @Override
        public void write(int one) throws IOException {
            write(new byte[] {(byte) one}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            allowance.take(length);
            try {
                out.write(bytes, offset, length);
            } catch (IOException fault) {
                throw of(direction.to(), fault);
            }
            passed(length, direction);
        }
    }
}
