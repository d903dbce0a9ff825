package dev.paddock.executor.docker.engine;

import dev.paddock.executor.remote.shell.CloseQuietly;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;

/**
 * A connection to the engine whose directions can be closed separately. Closing it wakes blocked readers and writers.
 */
interface EngineConnection extends Closeable {

    InputStream input();

    OutputStream output();

    /** Closes the direction to the engine: the command sees the end of its input while its output still arrives. */
    void endOutput() throws IOException;

    @Override
    void close();

    static EngineConnection unix(UnixDomainSocketAddress address) throws IOException {
        SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
        Unix connection = new Unix(channel);
        // Connecting blocks when a stopped engine's backlog is full.
        EngineTransport.Watchdog watchdog = EngineTransport.Watchdog.over(connection, EngineAddress.CONNECT_TIMEOUT);
        try {
            channel.connect(address);
            watchdog.stop();
            return connection;
        } catch (IOException fault) {
            connection.close();
            throw watchdog.explain(fault, "connect", EngineAddress.CONNECT_TIMEOUT);
        }
    }

    static EngineConnection of(Socket socket) throws IOException {
        return new Tcp(socket, socket.getInputStream(), socket.getOutputStream());
    }

    /** A unix socket, which {@link Socket} does not support. */
    record Unix(SocketChannel channel, InputStream input, OutputStream output) implements EngineConnection {

        Unix(SocketChannel channel) {
            this(channel, Channels.newInputStream(channel), new ChannelOutput(channel));
        }

        @Override
        public void endOutput() throws IOException {
            channel.shutdownOutput();
        }

        @Override
        public void close() {
            CloseQuietly.close(channel);
        }
    }

    record Tcp(Socket socket, InputStream input, OutputStream output) implements EngineConnection {

        @Override
        public void endOutput() throws IOException {
            socket.shutdownOutput();
        }

        @Override
        public void close() {
            CloseQuietly.close(socket);
        }
    }

    /** Writes as {@link Channels#newOutputStream} does, but without its lock, which a blocked writer would keep. */
    final class ChannelOutput extends OutputStream {
        private final SocketChannel channel;

        ChannelOutput(SocketChannel channel) {
            this.channel = channel;
        }

        @Override
        public void write(int value) throws IOException {
            write(new byte[] {(byte) value}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            ByteBuffer buffer = ByteBuffer.wrap(bytes, offset, length);
            while (buffer.hasRemaining()) {
                channel.write(buffer);
            }
        }
    }
}
