package dev.paddock.executor.network;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.paddock.executor.HostConnection;
import dev.paddock.executor.os.io.DaemonThreads;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/**
 * A connection of a command, and the one to its intended host. An end of input, or a reset, of one side reaches the
 * other as such.
 */
final class RelayedConnection {
    private static final int HTTP_PORT = 80;
    private static final int SMALL = 1 << 13;
    private static final int LARGE = 1 << 17;
    private static final String COMMAND_ENDED = "the command has ended";

    private final SocketChannel inner;
    private final byte[] read;
    private final AllowedHosts.Grant grant;
    private final Kind kind;
    private final Instant began = Instant.now();
    private final long beganNanos = System.nanoTime();
    /** The origin of all compared times, since System.nanoTime may overflow. */
    private static final long ORIGIN_NANOS = System.nanoTime();

    private final ConnectionTraffic traffic;
    /** Why Paddock ended it: the first reason counts, later ones are consequences. */
    private final AtomicReference<Optional<String>> reason = new AtomicReference<>(Optional.empty());

    private final AtomicBoolean reported = new AtomicBoolean();
    private volatile boolean allowed = true;
    /** False while the host is dialled, and after a failure. */
    private volatile boolean reached = true;

    private volatile boolean closed;
    private volatile boolean halfClosed;
    /** Whether it ends as soon as all bytes of the dialled side have been relayed. */
    private volatile boolean ending;

    private volatile boolean farEnded;
    private volatile long halfClosedNanos;
    private volatile Optional<SocketChannel> outer = Optional.empty();

    /** Connects to the side to which a connection is relayed. */
    @FunctionalInterface
    interface Dialer {
        /**
         * Connects.
         *
         * @param dialling receives each channel before it connects: closing it ends the attempt
         * @return the connection; the caller closes it
         * @throws IOException if the host cannot be reached
         */
        SocketChannel dial(AllowedHosts.Grant grant, Consumer<SocketChannel> dialling) throws IOException;
    }

    /** Receives each connection once. */
    @FunctionalInterface
    interface Observer {
        /**
         * Receives a connection that has ended.
         *
         * @param reached whether there was a connection to the host
         */
        void ended(HostConnection connection, boolean reached);
    }

    /**
     * The shared properties of one kind of connections.
     *
     * @param publishedAt the port of this machine at which they arrived; empty for those of commands
     */
    record Kind(Dialer dialer, Observer observer, OptionalInt publishedAt) {
        private ConnectionTraffic.Sides sides() {
            return publishedAt.isPresent()
                    ? ConnectionTraffic.Sides.OF_A_PUBLISHED_PORT
                    : ConnectionTraffic.Sides.OF_A_COMMAND;
        }
    }

    /**
     * Creates a connection.
     *
     * @param inner the accepted one
     * @param read its bytes that were read already
     */
    RelayedConnection(SocketChannel inner, byte[] read, AllowedHosts.Grant grant, Kind kind) {
        this.inner = inner;
        this.read = read;
        this.grant = grant;
        this.traffic = new ConnectionTraffic(ConnectionTraffic.Timing.REAL, kind.sides(), grant.allowance());
        this.kind = kind;
    }

    /** Relays until both sides have ended, and reports the connection. */
    void run() {
        try {
            relay();
        } catch (RefusedException refused) {
            allowed = false;
            because(refused.reason());
            outer.ifPresent(Relay::closeQuietly);
            report();
            answerRefusal(refused);
            Relay.reset(inner);
        } catch (IOException fault) {
            fail(fault);
        } finally {
            Relay.closeQuietly(inner);
            outer.ifPresent(Relay::closeQuietly);
            report();
        }
    }

    /** Returns whether the side that connected has ended its output; for a published port, whether either side has. */
    boolean isHalfClosed() {
        return halfClosed;
    }

    /** Returns when the first side ended its output, if {@link #isHalfClosed}. */
    long halfClosedNanos() {
        return halfClosedNanos;
    }

    /** Ends it in favor of another. */
    void giveUp() {
        close("one side had ended, and too many connections were open");
    }

    /** Ends it, at the executor's disposal. */
    void close() {
        close("the executor was disposed of");
    }

    /** Ends it once all bytes of the dialled side have been relayed. */
    void closeSoon() {
        ending = true;
        if (farEnded || !reached) {
            close(COMMAND_ENDED);
        }
    }

    /** Ends it, although the dialled side has not. */
    void closeNow() {
        close(COMMAND_ENDED);
    }

    private void close(String why) {
        closed = true;
        because(why);
        Relay.closeQuietly(inner);
        outer.ifPresent(Relay::closeQuietly);
    }

    /**
     * Reports it, once, before a refused command receives the refusal: the command may exit at once, and its report
     * lists only the hosts that were not reached until then.
     */
    void report() {
        if (reported.compareAndSet(false, true)) {
            boolean isInbound = kind.publishedAt().isPresent();
            HostConnection.Builder connection = HostConnection.builder(grant.host())
                    .port(grant.port())
                    .allowed(allowed)
                    .bytes(
                            isInbound ? traffic.received() : traffic.sent(),
                            isInbound ? traffic.sent() : traffic.received())
                    .began(began)
                    .lasted(Duration.ofNanos(System.nanoTime() - beganNanos));
            reason.get().ifPresent(connection::reason);
            kind.publishedAt().ifPresent(connection::publishedAt);
            kind.observer().ended(connection.build(), reached);
        }
    }

    private void because(String text) {
        reason.compareAndSet(Optional.empty(), Optional.of(text));
    }

    /** Ends both sides with a reset, so that neither takes a part of the data for all of it. */
    private void fail(IOException fault) {
        because(String.valueOf(fault.getMessage()));
        if (fault instanceof ByteAllowance.UsedUpException) {
            allowed = false;
        }
        if (!reached || !allowed) {
            report();
        }
        Relay.reset(inner);
        outer.ifPresent(Relay::reset);
    }

    /** Sends the refusal in the program's own protocol, if that has begun. */
    private void answerRefusal(RefusedException refused) {
        try {
            OutputStream out = inner.socket().getOutputStream();
            if (grant.isTls()) {
                out.write(ClientHello.ALERT);
            } else if (grant.isHttp() && traffic.received() == 0) {
                String text = "Not allowed by the sandbox's network policy: " + refused.reason() + ".\n";
                out.write(("HTTP/1.1 403 Forbidden\r\nContent-Type: text/plain\r\nConnection: close\r\n"
                                + "Content-Length: " + text.length() + "\r\n\r\n" + text)
                        .getBytes(US_ASCII));
            }
            inner.shutdownOutput();
            inner.socket().setSoTimeout(1000);
            inner.socket().getInputStream().readNBytes(SMALL); // a reset would overtake the answer
        } catch (IOException ended) {
            Accepting.LOG.log(System.Logger.Level.TRACE, "A refusal was not read", ended);
        }
    }

    private void relay() throws IOException {
        inner.setOption(StandardSocketOptions.TCP_NODELAY, true);
        ReadAhead in = new ReadAhead(read, traffic.opening(inner));
        byte[] opening = grant.isTls() ? ClientHello.read(in, grant.host()) : new byte[0];
        Optional<String> head = Optional.empty();
        if (grant.isHttp()) {
            head = new HttpRequests(in, OutputStream.nullOutputStream(), grant.host(), HTTP_PORT).head();
            if (head.isEmpty()) {
                return;
            }
        }
        reached = false;
        SocketChannel host = kind.dialer().dial(grant, this::dialling);
        reached = true;
        host.setOption(StandardSocketOptions.TCP_NODELAY, true);
        traffic.opened(inner, host);
        both(host, opening, head, in);
    }

    /** Registers a connection in progress, which a disposal closes. */
    private void dialling(SocketChannel channel) {
        outer = Optional.of(channel);
        if (closed) {
            Relay.closeQuietly(channel);
        }
    }

    private void both(SocketChannel host, byte[] opening, Optional<String> head, ReadAhead in) throws IOException {
        Thread back = DaemonThreads.virtual("paddock-relay-back").start(() -> {
            try {
                traffic.copyToCommand(host, inner);
                endOutput(inner);
                farEnded();
            } catch (IOException fault) {
                fail(fault);
            }
        });
        try {
            if (head.isPresent()) {
                requests(in, host, head.get());
            } else {
                OutputStream out = traffic.toHost(host);
                out.write(opening);
                out.write(in.takeAhead());
                traffic.copyToHost(inner, host);
            }
            markHalfClosed();
            endOutput(host);
        } catch (RefusedException refused) {
            Relay.closeQuietly(host);
            join(back);
            throw refused;
        } catch (IOException fault) {
            fail(fault);
        }
        join(back);
    }

    private void farEnded() {
        if (kind.publishedAt().isPresent()) {
            markHalfClosed();
        }
        farEnded = true;
        if (ending) {
            close(COMMAND_ENDED);
        }
    }

    private void markHalfClosed() {
        halfClosedNanos = System.nanoTime() - ORIGIN_NANOS;
        halfClosed = true;
    }

    /** Relays an end of output; a side that has been reset has none to receive, and its reader reports that. */
    private static void endOutput(SocketChannel channel) {
        try {
            channel.shutdownOutput();
        } catch (IOException ended) {
            Accepting.LOG.log(System.Logger.Level.TRACE, "A connection has ended already", ended);
        }
    }

    private static void join(Thread back) throws IOException {
        try {
            back.join();
        } catch (InterruptedException stopped) {
            throw new IOException("the relay was interrupted", stopped);
        }
    }

    private void requests(InputStream in, SocketChannel host, String first) throws IOException {
        OutputStream out = new BufferedOutputStream(traffic.toHost(host), LARGE);
        HttpRequests requests = new HttpRequests(flushing(in, out), out, grant.host(), HTTP_PORT);
        Optional<String> head = Optional.of(first);
        while (head.isPresent()) {
            requests.pass(head.get());
            out.flush();
            head = requests.head();
        }
        traffic.halfClosed();
    }

    /** Flushes before it waits: a server may answer before a body is complete. */
    private static InputStream flushing(InputStream in, OutputStream out) {
        return new InputStream() {
            @Override
            public int read() throws IOException {
                flushBeforeWaiting();
                return in.read();
            }

            @Override
            public int read(byte[] bytes, int offset, int length) throws IOException {
                flushBeforeWaiting();
                return in.read(bytes, offset, length);
            }

            private void flushBeforeWaiting() throws IOException {
                if (in.available() == 0) {
                    out.flush();
                }
            }
        };
    }
}
