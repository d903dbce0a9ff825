package dev.paddock.executor.os.posix;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.DatagramChannel;
import java.nio.channels.NetworkChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/**
 * Uses sockets of another network namespace, and wraps them in Java channels. A socket always belongs to the namespace
 * in which it was opened, whichever process uses it. Linux, IPv4.
 */
public final class Sockets {
    public static final int AF_INET = 2;

    public static final int STREAM = 1;

    public static final int DATAGRAM = 2;

    private static final int SOCKADDR_BYTES = 16;
    private static final int INTERFACE_NAME_BYTES = 16;
    private static final int IFREQ_BYTES = 40;
    /** The {@code ioctl} that sets an interface's address. */
    public static final int SIOCSIFADDR = 0x8916;

    /** The {@code ioctl} that sets its network mask. */
    public static final int SIOCSIFNETMASK = 0x891c;

    private static final int O_CLOEXEC = 0x80000;
    private static final int SOL_SOCKET = 1;
    private static final int SO_TYPE = 3;
    private static final byte[] LOOPBACK = {127, 0, 0, 1};

    private final LibC c;

    Sockets(LibC c) {
        this.c = c;
    }

    /** Opens a socket in the calling thread's network namespace; closed on exec. */
    public int open(int type) throws NativeFault {
        long socket = c.syscall(SystemCall.SOCKET, AF_INET, type | O_CLOEXEC, 0);
        require("a socket could not be opened", socket);
        return (int) socket;
    }

    /** Assigns an address to an interface of the socket's namespace. */
    public void addAddress(int socket, String label, InetAddress address, InetAddress mask) throws NativeFault {
        configure(socket, SIOCSIFADDR, label, address);
        configure(socket, SIOCSIFNETMASK, label, mask);
    }

    /** Returns the argument of an {@code ioctl} about an interface's address. */
    public static byte[] interfaceRequest(String label, InetAddress value) {
        ByteBuffer request = ByteBuffer.allocate(IFREQ_BYTES);
        request.put(label.getBytes(StandardCharsets.US_ASCII));
        request.position(INTERFACE_NAME_BYTES);
        return request.put(socketAddress(new InetSocketAddress(value, 0))).array();
    }

    /** Returns an address in the kernel's form. */
    public static byte[] socketAddress(InetSocketAddress name) {
        byte[] bytes = new byte[SOCKADDR_BYTES];
        address(
                ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder()),
                name.getAddress().getAddress(),
                name.getPort());
        return bytes;
    }

    private void configure(int socket, int call, String label, InetAddress value) throws NativeFault {
        ByteBuffer request = Memory.allocate(IFREQ_BYTES).put(interfaceRequest(label, value));
        require(
                "the address of '" + label + "' could not be set",
                c.syscall(SystemCall.IOCTL, socket, call, Memory.address(request)));
        Memory.keep(request);
    }

    public void bind(int socket, InetSocketAddress address) throws NativeFault {
        ByteBuffer name = Memory.allocate(SOCKADDR_BYTES).put(socketAddress(address));
        long result = c.syscall(SystemCall.BIND, socket, Memory.address(name), SOCKADDR_BYTES);
        Memory.keep(name);
        require("port " + address.getPort() + " could not be bound", result);
    }

    public void listen(int socket, int backlog) throws NativeFault {
        require("a socket could not listen", c.syscall(SystemCall.LISTEN, socket, backlog));
    }

    private static ByteBuffer address(ByteBuffer name, byte[] address, int port) {
        name.putShort((short) AF_INET)
                .order(ByteOrder.BIG_ENDIAN)
                .putShort((short) port)
                .put(address);
        return name.position(0);
    }

    /**
     * Returns an ordinary channel on a listening socket: closing it ends a waiting {@code accept}.
     *
     * @param socket the socket, which stays open
     * @return the channel; the caller closes it
     */
    public ServerSocketChannel server(int socket) throws IOException {
        ServerSocketChannel channel = ServerSocketChannel.open(StandardProtocolFamily.INET);
        put(socket, channel, STREAM);
        return channel;
    }

    /**
     * Returns a channel on a bound datagram socket.
     *
     * @param socket the socket, which stays open
     * @return the channel; the caller closes it
     */
    public DatagramChannel datagrams(int socket) throws IOException {
        DatagramChannel channel = DatagramChannel.open(StandardProtocolFamily.INET);
        put(socket, channel, DATAGRAM);
        return channel;
    }

    /**
     * Returns channels on unbound, unconnected sockets. Such a channel connects in its socket's namespace.
     *
     * @param sockets the sockets, which stay open
     * @return the channels, in the sockets' order; the caller closes them
     */
    public List<SocketChannel> clients(List<Integer> sockets) throws IOException {
        List<SocketChannel> channels = new ArrayList<>();
        boolean done = false;
        try {
            for (int index = 0; index < sockets.size(); index++) {
                channels.add(SocketChannel.open(StandardProtocolFamily.INET));
            }
            put(sockets, channels, STREAM);
            done = true;
            return channels;
        } finally {
            if (!done) {
                close(channels);
            }
        }
    }

    private void put(int socket, NetworkChannel channel, int type) throws IOException {
        boolean done = false;
        try {
            put(List.of(socket), List.of(channel), type);
            done = true;
        } finally {
            if (!done) {
                channel.close();
            }
        }
    }

    private static void close(List<? extends NetworkChannel> channels) throws IOException {
        for (NetworkChannel channel : channels) {
            channel.close();
        }
    }

    /**
     * Replaces the sockets of new channels. The JDK does not expose a channel's descriptor, so each channel is first
     * bound to a port of the host's loopback, by which the descriptor is found.
     */
    private void put(List<Integer> sockets, List<? extends NetworkChannel> channels, int type) throws IOException {
        Map<Integer, Integer> wanted = new HashMap<>();
        for (int index = 0; index < sockets.size(); index++) {
            NetworkChannel channel = channels.get(index);
            channel.bind(new InetSocketAddress(InetAddress.getByAddress(LOOPBACK), 0));
            int port = channel.getLocalAddress() instanceof InetSocketAddress address ? address.getPort() : 0;
            wanted.put(port, sockets.get(index));
        }
        ByteBuffer name = Memory.allocate(SOCKADDR_BYTES);
        ByteBuffer length = Memory.allocate(Integer.BYTES);
        String[] descriptors = new File("/proc/self/fd").list();
        for (String entry : descriptors == null ? new String[0] : descriptors) {
            int own = Integer.parseInt(entry);
            OptionalInt port = portAtLoopback(own, name, length);
            if (port.isPresent() && wanted.containsKey(port.getAsInt()) && typeOf(own) == type) {
                require(
                        "a channel could not be put on a socket",
                        c.syscall(SystemCall.DUP3, wanted.remove(port.getAsInt()), own, O_CLOEXEC));
            }
        }
        if (!wanted.isEmpty()) {
            throw new IOException("the descriptor of a channel was not found");
        }
    }

    /** Returns the port of a descriptor that is a socket bound to the loopback's first address. */
    private OptionalInt portAtLoopback(int descriptor, ByteBuffer name, ByteBuffer length) {
        length.putInt(0, SOCKADDR_BYTES);
        long result = c.syscall(SystemCall.GETSOCKNAME, descriptor, Memory.address(name), Memory.address(length));
        Memory.keep(name, length);
        if (result != 0 || name.order(ByteOrder.nativeOrder()).getShort(0) != AF_INET) {
            return OptionalInt.empty();
        }
        name.order(ByteOrder.BIG_ENDIAN);
        return name.getInt(2 * Short.BYTES) == ByteBuffer.wrap(LOOPBACK).getInt()
                ? OptionalInt.of(Short.toUnsignedInt(name.getShort(Short.BYTES)))
                : OptionalInt.empty();
    }

    private int typeOf(int descriptor) {
        ByteBuffer type = Memory.allocate(Integer.BYTES);
        ByteBuffer length = Memory.allocate(Integer.BYTES).putInt(0, Integer.BYTES);
        c.syscall(SystemCall.GETSOCKOPT, descriptor, SOL_SOCKET, SO_TYPE, Memory.address(type), Memory.address(length));
        Memory.keep(type, length);
        return type.getInt(0);
    }

    private static void require(String failure, long result) throws NativeFault {
        if (result < 0) {
            throw new NativeFault(failure, (int) -result);
        }
    }
}
