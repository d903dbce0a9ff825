package dev.paddock.executor.docker.engine;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads a private key from a PEM file: PKCS #8, or one of the two older forms of OpenSSL and docker-machine, which it
 * wraps in PKCS #8 for the JDK.
 */
final class PrivateKeyFile {
    private static final Pattern KEY =
            Pattern.compile("-----BEGIN ((?:RSA |EC )?PRIVATE KEY)-----(.+?)-----END \\1-----", Pattern.DOTALL);

    private static final List<String> ALGORITHMS = List.of("RSA", "EC", "EdDSA");

    /** {@code INTEGER 0}: the version. */
    private static final byte[] VERSION = {2, 1, 0};

    /** {@code rsaEncryption}, and its parameters, which are null. */
    private static final byte[] RSA = HexFormat.of().parseHex("06092a864886f70d0101010500");

    /** {@code id-ecPublicKey}; the curve follows. */
    private static final byte[] EC = HexFormat.of().parseHex("06072a8648ce3d0201");

    private static final int SEQUENCE = 0x30;
    private static final int OCTET_STRING = 0x04;

    /** The parameters of an {@code ECPrivateKey}: its curve. */
    private static final int CURVE = 0xa0;

    private PrivateKeyFile() {}

    /**
     * Reads the first key of a file.
     *
     * @throws GeneralSecurityException if there is none, or of an unknown kind, such as an encrypted one
     */
    static PrivateKey read(Path file) throws IOException, GeneralSecurityException {
        Matcher key = KEY.matcher(Files.readString(file, ISO_8859_1));
        if (!key.find() || key.group(2).contains(":")) { // encrypted by OpenSSL's older way, with headers
            throw new InvalidKeyException("'" + file + "' contains no unencrypted private key");
        }
        try {
            byte[] content = Base64.getMimeDecoder().decode(key.group(2));
            return decode(pkcs8(key.group(1), content), file);
        } catch (IllegalArgumentException | BufferUnderflowException damaged) {
            throw new InvalidKeyException("the private key in '" + file + "' is damaged", damaged);
        }
    }

    private static byte[] pkcs8(String kind, byte[] content) throws InvalidKeyException {
        return switch (kind) {
            case "RSA PRIVATE KEY" -> wrapped(RSA, content);
            case "EC PRIVATE KEY" -> wrapped(joined(EC, curveOf(content)), content);
            default -> content;
        };
    }

    private static PrivateKey decode(byte[] pkcs8, Path file) throws GeneralSecurityException {
        InvalidKeyException unknown =
                new InvalidKeyException("the private key in '" + file + "' is none of " + ALGORITHMS);
        for (String algorithm : ALGORITHMS) {
            try {
                return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(pkcs8));
            } catch (InvalidKeySpecException ofAnother) {
                unknown.addSuppressed(ofAnother);
            }
        }
        throw unknown;
    }

    private static byte[] wrapped(byte[] algorithm, byte[] key) {
        return element(SEQUENCE, joined(VERSION, element(SEQUENCE, algorithm), element(OCTET_STRING, key)));
    }

    /** Returns the curve of an {@code ECPrivateKey}, which follows the version and the key itself. */
    private static byte[] curveOf(byte[] key) throws InvalidKeyException {
        ByteBuffer content = contentOf(ByteBuffer.wrap(key));
        while (content.hasRemaining()) {
            boolean isCurve = (content.get(content.position()) & 0xff) == CURVE;
            ByteBuffer element = contentOf(content);
            if (isCurve) {
                byte[] curve = new byte[element.remaining()];
                element.get(curve);
                return curve;
            }
        }
        throw new InvalidKeyException("an EC key does not name its curve");
    }

    /** Reads an element in DER, and returns its content; the input continues after it. */
    private static ByteBuffer contentOf(ByteBuffer input) {
        input.get(); // the tag
        int length = input.get() & 0xff;
        if (length >= 0x80) {
            int bytes = length & 0x7f;
            length = 0;
            for (int count = 0; count < bytes; count++) {
                length = (length << 8) | (input.get() & 0xff);
            }
        }
        if (length < 0 || length > input.remaining()) {
            throw new IllegalArgumentException("an element is longer than the key");
        }
        ByteBuffer content = input.slice(input.position(), length);
        input.position(input.position() + length);
        return content;
    }

    private static byte[] element(int tag, byte[] content) {
        byte[] length = content.length < 0x80
                ? new byte[] {(byte) content.length}
                : new byte[] {(byte) 0x82, (byte) (content.length >> 8), (byte) content.length}; // below 64 KiB
        return joined(new byte[] {(byte) tag}, length, content);
    }

    private static byte[] joined(byte[]... parts) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            all.writeBytes(part);
        }
        return all.toByteArray();
    }
}
