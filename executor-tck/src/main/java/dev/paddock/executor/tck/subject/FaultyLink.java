package dev.paddock.executor.tck.subject;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A TCP relay on the loopback interface that a test stalls and cuts, as a network between two machines
 * may be: while it is stalled, it passes on neither bytes nor ends of connections. Thread-safe.
 */
public final class FaultyLink implements AutoCloseable {
    private static final int BLOCK = 16 << 10;

    private final int target;
    private final ServerSocket server;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private boolean stalled;
    private boolean closed;

    /** How many more bytes pass in each direction until the relay stalls by itself. */
    private long budget = Long.MAX_VALUE;

    private FaultyLink(int target, ServerSocket server) {
        this.target = target;
        this.server = server;
    }

    /**
     * Starts a relay.
     *
     * @param port of the loopback interface, to which it connects
     * @return the relay; the caller closes it
     * @throws IOException if no port is free
     */
    public static FaultyLink to(int port) throws IOException {
        FaultyLink link = new FaultyLink(port, new ServerSocket(0, 50, InetAddress.getLoopbackAddress()));
        Thread.ofPlatform().daemon().name("faulty link accepts").start(link::accept);
        return link;
    }

    /**
     * Returns the port at which the relay accepts connections.
     *
     * @return a port of the loopback interface
     */
    public int port() {
        return server.getLocalPort();
    }

    /** Stops passing anything on, without notifying either side. */
    public void stall() {
        set(true, Long.MAX_VALUE);
    }

    /**
     * Stalls when some more bytes have passed, of both directions together.
     *
     * @param bytes how many
     */
    public void stallAfter(long bytes) {
        set(false, bytes);
    }

    /** Passes everything on again, and what has waited. */
    public void resume() {
        set(false, Long.MAX_VALUE);
    }

    private void set(boolean value, long bytes) {
        lock.lock();
        try {
            stalled = value;
            budget = bytes;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Closes every connection; new ones are accepted. */
    public void cut() {
        sockets.forEach(FaultyLink::close);
        sockets.clear();
    }

    private void accept() {
        try {
            while (true) {
                Socket near = server.accept();
                sockets.add(near);
                Thread.ofPlatform().daemon().name("faulty link connects").start(() -> connect(near));
            }
        } catch (IOException ended) {
            cut();
        }
    }

    private void connect(Socket near) {
        Socket far = new Socket();
        try {
            pass(0);
            far.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), target));
            sockets.add(far);
            Thread.ofPlatform().daemon().name("faulty link copies").start(() -> copy(far, near));
            copy(near, far);
        } catch (IOException refused) {
            close(near);
        }
    }

    private void copy(Socket from, Socket to) {
        byte[] bytes = new byte[BLOCK];
        try {
            InputStream input = from.getInputStream();
            OutputStream output = to.getOutputStream();
            for (int read = input.read(bytes); read >= 0; read = input.read(bytes)) {
                pass(read);
                output.write(bytes, 0, read);
            }
            pass(0);
            to.shutdownOutput();
        } catch (IOException ended) {
            end(from, to);
        }
    }

    private void end(Socket from, Socket to) {
        try {
            pass(0);
        } catch (IOException closing) {
            // closes both, as the relay itself
        }
        close(from);
        close(to);
    }

    /** Waits while the relay is stalled. */
    private void pass(int bytes) throws IOException {
        lock.lock();
        try {
            while (!closed && (stalled || budget < 0)) {
                changed.awaitUninterruptibly();
            }
            if (closed) {
                throw new IOException("the relay is closed");
            }
            budget -= bytes;
        } finally {
            lock.unlock();
        }
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException ignored) {
            // nothing is left to be done
        }
    }

    @Override
    public void close() throws IOException {
        lock.lock();
        try {
            closed = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        server.close();
        cut();
    }
}
