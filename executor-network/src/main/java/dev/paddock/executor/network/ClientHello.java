package dev.paddock.executor.network;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.paddock.executor.policy.HostRule;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.Optional;

/** Reads a TLS client's first message and checks its server name. */
final class ClientHello {
    /** The fatal alert {@code unrecognized_name}, which programs display. */
    static final byte[] ALERT = {0x15, 3, 3, 0, 2, 2, 112};

    private static final int RECORD_HEADER = 5;
    private static final int HANDSHAKE_RECORD = 0x16;
    private static final int MAX_RECORD_LENGTH = 1 << 14;
    private static final int HANDSHAKE_HEADER = 4;
    private static final int CLIENT_HELLO = 1;
    private static final int MAX_HELLO_LENGTH = 1 << 16;
    private static final int VERSION_AND_RANDOM = 2 + 32;
    private static final int SERVER_NAME = 0;

    private ClientHello() {}

    /**
     * Reads the message.
     *
     * @param in the client's bytes from their beginning
     * @param host the name that it must contain
     * @return all bytes that were read, to be sent on
     * @throws RefusedException if it has another name or none, or is not TLS
     */
    static byte[] read(InputStream in, String host) throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        ByteArrayOutputStream handshake = new ByteArrayOutputStream();
        int wanted = HANDSHAKE_HEADER;
        while (handshake.size() < wanted) {
            handshake.writeBytes(record(in, all));
            if (handshake.size() >= HANDSHAKE_HEADER) {
                int header = ByteBuffer.wrap(handshake.toByteArray()).getInt();
                wanted = HANDSHAKE_HEADER + (header & 0xff_ffff);
                if (header >>> 24 != CLIENT_HELLO || wanted > MAX_HELLO_LENGTH) {
                    throw new RefusedException("it does not begin as TLS does");
                }
            }
        }
        Optional<String> name = name(ByteBuffer.wrap(handshake.toByteArray(), HANDSHAKE_HEADER, wanted - 4));
        if (name.isEmpty()) {
            throw new RefusedException("its TLS names no server");
        }
        if (!HostRule.canonical(name.get()).equals(Optional.of(host))) {
            throw new RefusedException("its TLS names another server, '" + printable(name.get()) + "'");
        }
        return all.toByteArray();
    }

    private static String printable(String name) {
        return name.replaceAll("[^!-~]", "?");
    }

    private static byte[] record(InputStream in, ByteArrayOutputStream all) throws IOException {
        byte[] header = in.readNBytes(RECORD_HEADER);
        if (header.length == 0) {
            throw new EOFException("the client has sent nothing");
        }
        int length = header.length < RECORD_HEADER ? 0 : ((header[3] & 0xff) << 8) | (header[4] & 0xff);
        if (header[0] != HANDSHAKE_RECORD || length == 0 || length > MAX_RECORD_LENGTH) {
            throw new RefusedException("it is not TLS, which port 443 is for");
        }
        byte[] body = in.readNBytes(length);
        if (body.length < length) {
            throw new EOFException("the client's first message is cut off");
        }
        all.writeBytes(header);
        all.writeBytes(body);
        return body;
    }

    /** Returns the server name; empty if there is none, or more than one. */
    private static Optional<String> name(ByteBuffer hello) {
        try {
            skip(hello, VERSION_AND_RANDOM);
            skip(hello, hello.get() & 0xff); // session
            skip(hello, Short.toUnsignedInt(hello.getShort())); // cipher suites
            skip(hello, hello.get() & 0xff); // compression methods
            ByteBuffer extensions = part(hello);
            Optional<String> found = Optional.empty();
            while (extensions.hasRemaining()) {
                int type = Short.toUnsignedInt(extensions.getShort());
                ByteBuffer extension = part(extensions);
                if (type == SERVER_NAME) {
                    if (found.isPresent()) {
                        return Optional.empty();
                    }
                    found = onlyName(part(extension));
                }
            }
            return found;
        } catch (BufferUnderflowException | IllegalArgumentException cut) {
            return Optional.empty();
        }
    }

    private static Optional<String> onlyName(ByteBuffer list) {
        int type = list.get();
        ByteBuffer name = part(list);
        if (type != 0 || list.hasRemaining()) {
            return Optional.empty();
        }
        byte[] bytes = new byte[name.remaining()];
        name.get(bytes);
        return Optional.of(new String(bytes, ISO_8859_1));
    }

    private static ByteBuffer part(ByteBuffer from) {
        int length = Short.toUnsignedInt(from.getShort());
        ByteBuffer part = from.slice(from.position(), Math.min(length, from.remaining()));
        skip(from, length);
        return part;
    }

    private static void skip(ByteBuffer buffer, int bytes) {
        buffer.position(buffer.position() + bytes);
    }
}
