package dev.paddock.harness.files;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Locale;

/**
 * Converts names between the file system's bytes and text without loss. A name is UTF-8 whatever
 * the locale; a byte that is not part of a character becomes a lone surrogate, {@code U+DC80} to
 * {@code U+DCFF}, as in Python. Java's own text has a replacement character there, by which the
 * file cannot be found again.
 */
final class EntryName {
    private static final boolean NAMES_ARE_BYTES = File.separatorChar == '/';
    private static final int FIRST_ESCAPE = 0xDC80;
    private static final int LAST_ESCAPE = 0xDCFF;

    private EntryName() {}

    /** Returns the text of a name or of a path. */
    static String of(Path path) {
        String text = path.toString();
        if (!NAMES_ARE_BYTES || text.indexOf('\ufffd') < 0) {
            return text;
        }
        String whole = decoded(unescaped(Path.of("/").resolve(path).toUri().getRawPath())); // the way to a path's bytes
        int start = path.isAbsolute() ? 0 : 1;
        return whole.substring(start, whole.endsWith("/") ? whole.length() - 1 : whole.length());
    }

    /**
     * Returns the path of a single name.
     *
     * @throws InvalidPathException if no file can have the name, or if another text is the same
     *     name: rules that compare text would be evaded
     */
    static Path path(String name) {
        if (name.chars().noneMatch(c -> Character.isSurrogate((char) c))) {
            try {
                return Path.of(name);
            } catch (InvalidPathException e) { // in a locale without the character
                if (!NAMES_ARE_BYTES || name.indexOf('\0') >= 0) {
                    throw e;
                }
            }
        }
        if (!NAMES_ARE_BYTES) {
            return Path.of(name);
        }
        byte[] bytes = bytes(name);
        if (!decoded(bytes).equals(name)) {
            throw new InvalidPathException(name, "not the name of a file");
        }
        StringBuilder uri = new StringBuilder("file:///");
        for (byte one : bytes) {
            uri.append(String.format(Locale.ROOT, "%%%02X", one));
        }
        return Path.of(URI.create(uri.toString())).getFileName();
    }

    private static byte[] bytes(String name) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        name.codePoints().forEach(point -> {
            if (point >= FIRST_ESCAPE && point <= LAST_ESCAPE) {
                bytes.write(point);
            } else {
                bytes.writeBytes(Character.toString(point).getBytes(StandardCharsets.UTF_8));
            }
        });
        return bytes.toByteArray();
    }

    private static String decoded(byte[] bytes) {
        CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
        ByteBuffer in = ByteBuffer.wrap(bytes);
        CharBuffer out = CharBuffer.allocate(bytes.length);
        CoderResult result = decoder.decode(in, out, true);
        while (!result.isUnderflow()) {
            for (int i = 0; i < result.length(); i++) {
                out.put((char) (FIRST_ESCAPE - 0x80 | (in.get() & 0xFF)));
            }
            result = decoder.decode(in, out, true);
        }
        return out.flip().toString();
    }

    private static byte[] unescaped(String raw) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (int at = 0; at < raw.length(); at++) {
            if (raw.charAt(at) == '%') {
                bytes.write(Integer.parseInt(raw.substring(at + 1, at + 3), 16));
                at += 2;
            } else {
                bytes.write(raw.charAt(at));
            }
        }
        return bytes.toByteArray();
    }
}
