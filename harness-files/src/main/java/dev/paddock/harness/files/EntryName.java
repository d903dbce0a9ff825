package dev.paddock.harness.files;

import dev.paddock.executor.path.PathBytes;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/**
 * Converts names between paths and text without loss. A name is UTF-8 in every locale; a byte that is not part of a
 * character becomes a lone surrogate, {@code U+DC80} to {@code U+DCFF}, as in Python. Java's own conversion uses a
 * replacement character, from which the file cannot be found again.
 */
final class EntryName {
    private static final boolean NAMES_ARE_BYTES = File.separatorChar == '/';
    private static final int FIRST_ESCAPE = 0xDC80;
    private static final int LAST_ESCAPE = 0xDCFF;

    private EntryName() {}

    static String of(Path path) {
        String text = path.toString();
        if (!NAMES_ARE_BYTES || text.indexOf('\ufffd') < 0) {
            return text;
        }
        return decoded(PathBytes.of(path).getBytes(StandardCharsets.ISO_8859_1));
    }

    /**
     * Returns the path of a single name.
     *
     * @throws InvalidPathException if no file can have the name, or another text means the same name: it would evade
     *     rules that compare text
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
        return PathBytes.path(new String(bytes, StandardCharsets.ISO_8859_1))
                .orElseThrow(() -> new InvalidPathException(name, "a name cannot contain NUL"));
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
}
