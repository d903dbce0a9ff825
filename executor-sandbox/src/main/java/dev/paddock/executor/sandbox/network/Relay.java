package dev.paddock.executor.sandbox.network;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.paddock.executor.process.io.DaemonThreads;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Relays the connections of commands to the hosts that they meant: the local address of an accepted
 * connection is the fake address of a name.
 */
final class Relay implements AutoCloseable {
    /** Bounds the descriptors and the memory that commands can use up. */
    static final int MOST_CONNECTIONS = 1024;

    private static final int TLS_PORT = 443;
    private static final int HTTP_PORT = 80;
    private static final int OPENING_MILLIS = 30_000;
    private static final int IDLE_MILLIS = 3_600_000;
    private static final int SMALL = 1 << 13;
    private static final int LARGE = 1 << 17;

    private final AllowedHosts hosts;
    private final FakeAddresses addresses;
    private final ConnectionLog log;
    private final Semaphore permits = new Semaphore(MOST_CONNECTIONS);
    private final Set<SocketChannel> open = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    Relay(AllowedHosts hosts, FakeAddresses addresses, ConnectionLog log) {
        this.hosts = hosts;
        this.addresses = addresses;
        this.log = log;
    }

    /** Takes over an accepted connection. */
    void accepted(SocketChannel inner) {
        Optional<AllowedHosts.Grant> grant = Optional.empty();
        try {
            if (inner.getLocalAddress() instanceof InetSocketAddress local) {
                Optional<String> host = addresses.host(local.getAddress());
                grant = host.flatMap(name -> hosts.grant(name, local.getPort()));
                if (host.isPresent() && grant.isEmpty()) {
                    log.denied(host.get(), local.getPort(), "its port is not allowed");
                }
            }
        } catch (IOException ended) {
            // The command has closed it already: there is no one to serve.
            Accepting.LOG.log(System.Logger.Level.TRACE, "A connection has ended at once", ended);
        }
        if (grant.isEmpty()) {
            reset(inner);
        } else if (!permits.tryAcquire()) {
            log.denied(
                    grant.get().host(), grant.get().port(), "more than " + MOST_CONNECTIONS + " connections are open");
            reset(inner);
        } else {
            start(inner, grant.get());
        }
    }

    private void start(SocketChannel inner, AllowedHosts.Grant grant) {
        open.add(inner);
        DaemonThreads.virtual("paddock-relay").start(() -> {
            try {
                new Connection(inner, grant).run();
            } finally {
                permits.release();
                open.remove(inner);
                closeQuietly(inner);
            }
        });
    }

    /** Ends all connections, and those that are still accepted. */
    @Override
    public void close() {
        closed = true;
        open.forEach(Relay::closeQuietly);
    }

    static void closeQuietly(SocketChannel channel) {
        try {
            channel.close();
        } catch (IOException fault) {
            Accepting.LOG.log(System.Logger.Level.DEBUG, "A connection could not be closed", fault);
        }
    }

    /** Closes a connection so that the command sees an error, and not an empty answer. */
    private static void reset(SocketChannel channel) {
        try {
            channel.setOption(StandardSocketOptions.SO_LINGER, 0);
        } catch (IOException ended) {
            Accepting.LOG.log(System.Logger.Level.TRACE, "A connection has ended already", ended);
        }
        closeQuietly(channel);
    }

    /** One connection of a command. */
    private final class Connection {
        private final SocketChannel inner;
        private final AllowedHosts.Grant grant;
        private final AtomicLong sent = new AtomicLong();
        private final AtomicLong received = new AtomicLong();
        private final long began = System.nanoTime();
        private volatile long active = began;

        Connection(SocketChannel inner, AllowedHosts.Grant grant) {
            this.inner = inner;
            this.grant = grant;
        }

        void run() {
            try {
                String reason = relay();
                log.ended(grant, reason, sent.get(), received.get(), lasted());
            } catch (RefusedException refused) {
                log.denied(grant.host(), grant.port(), refused.reason());
                answerRefusal(refused);
                reset(inner);
            } catch (IOException fault) {
                log.ended(grant, String.valueOf(fault.getMessage()), sent.get(), received.get(), lasted());
                reset(inner);
            }
        }

        private Duration lasted() {
            return Duration.ofNanos(System.nanoTime() - began);
        }

        /** Tells the program in its own protocol, as far as that has begun. */
        private void answerRefusal(RefusedException refused) {
            try {
                OutputStream out = inner.socket().getOutputStream();
                if (grant.port() == TLS_PORT) {
                    out.write(ClientHello.ALERT);
                } else if (grant.port() == HTTP_PORT && received.get() == 0) {
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

        private String relay() throws IOException {
            inner.setOption(StandardSocketOptions.TCP_NODELAY, true);
            inner.socket().setSoTimeout(OPENING_MILLIS);
            InputStream in = new BufferedInputStream(inner.socket().getInputStream(), SMALL);
            byte[] opening = grant.port() == TLS_PORT ? ClientHello.read(in, grant.host()) : new byte[0];
            Optional<String> head = grant.port() == HTTP_PORT
                    ? new HttpRequests(in, OutputStream.nullOutputStream(), grant.host(), HTTP_PORT).head()
                    : Optional.empty();
            if (grant.port() == HTTP_PORT && head.isEmpty()) {
                return "";
            }
            SocketChannel outer = Upstream.dial(grant);
            open.add(outer);
            try {
                if (closed) {
                    return "the executor was disposed of";
                }
                outer.setOption(StandardSocketOptions.TCP_NODELAY, true);
                inner.socket().setSoTimeout(IDLE_MILLIS);
                outer.socket().setSoTimeout(IDLE_MILLIS);
                return both(outer, opening, head, in);
            } finally {
                open.remove(outer);
                closeQuietly(outer);
            }
        }

        private String both(SocketChannel outer, byte[] opening, Optional<String> head, InputStream in)
                throws IOException {
            Thread back = DaemonThreads.virtual("paddock-relay-back").start(() -> {
                try {
                    copy(outer.socket().getInputStream(), inner, received);
                    inner.shutdownOutput();
                } catch (IOException fault) {
                    reset(inner); // the command sees what has happened to the connection
                    closeQuietly(outer);
                }
            });
            String reason = "";
            try {
                if (head.isPresent()) {
                    requests(in, outer, head.get());
                } else {
                    sent.addAndGet(opening.length);
                    Channels.newOutputStream(outer).write(opening);
                    copy(in, outer, sent);
                }
                outer.shutdownOutput();
            } catch (RefusedException refused) {
                closeQuietly(outer);
                join(back);
                throw refused;
            } catch (IOException fault) {
                reason = String.valueOf(fault.getMessage());
                closeQuietly(outer);
                reset(inner);
            }
            join(back);
            return reason;
        }

        private void join(Thread back) throws IOException {
            try {
                back.join();
            } catch (InterruptedException stopped) {
                throw new IOException("the relay was interrupted", stopped);
            }
        }

        private void requests(InputStream in, SocketChannel outer, String first) throws IOException {
            OutputStream out = new BufferedOutputStream(counting(outer), LARGE);
            HttpRequests requests = new HttpRequests(flushing(in, out), out, grant.host(), HTTP_PORT);
            Optional<String> head = Optional.of(first);
            while (head.isPresent()) {
                requests.pass(head.get());
                out.flush();
                head = requests.head();
            }
        }

        /** Flushes before it waits: a server may answer before a body is complete. */
        private InputStream flushing(InputStream in, OutputStream out) {
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

        private OutputStream counting(SocketChannel outer) {
            OutputStream raw = Channels.newOutputStream(outer);
            return new OutputStream() {
                @Override
                public void write(int one) throws IOException {
                    write(new byte[] {(byte) one}, 0, 1);
                }

                @Override
                public void write(byte[] bytes, int offset, int length) throws IOException {
                    raw.write(bytes, offset, length);
                    sent.addAndGet(length);
                }
            };
        }

        private void copy(InputStream from, SocketChannel to, AtomicLong count) throws IOException {
            OutputStream out = Channels.newOutputStream(to);
            byte[] block = new byte[SMALL];
            while (true) {
                int length = read(from, block);
                if (length < 0) {
                    return;
                }
                active = System.nanoTime();
                out.write(block, 0, length);
                count.addAndGet(length);
                if (length == block.length && block.length < LARGE) {
                    block = new byte[LARGE];
                }
            }
        }

        /** Reads; a connection that is silent in one direction is idle only if the other is, too. */
        private int read(InputStream from, byte[] block) throws IOException {
            while (true) {
                try {
                    return from.read(block);
                } catch (SocketTimeoutException silent) {
                    if (System.nanoTime() - active > IDLE_MILLIS * 1_000_000L) {
                        throw new IOException("it was idle for " + IDLE_MILLIS / 60_000 + " minutes", silent);
                    }
                }
            }
        }
    }
}
