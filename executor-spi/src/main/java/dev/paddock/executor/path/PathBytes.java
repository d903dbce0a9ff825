package dev.paddock.executor.path;

import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Converts between a path and its bytes. A name on Linux is any bytes, and {@link Path#toString}
 * loses those that are invalid in the platform's encoding. Here a string of bytes is an ISO 8859-1
 * string: each character is one byte.
 */
public final class PathBytes {
    private static final Path ROOT = Path.of("/");

    private PathBytes() {}

    /**
     * Returns a path's bytes.
     *
     * @param path absolute or relative
     * @return the bytes as ISO 8859-1
     */
    public static String of(Path path) {
        String text = path.toString();
        if (isAscii(text)) {
            return text;
        }
        // A path's URI escapes its bytes, whatever the platform's encoding.
        String escaped = ROOT.resolve(path).toUri().getRawPath();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (int at = 0; at < escaped.length(); at++) {
            if (escaped.charAt(at) == '%') {
                bytes.write(Integer.parseInt(escaped, at + 1, at + 3, 16));
                at += 2;
            } else {
                bytes.write(escaped.charAt(at));
            }
        }
        String all = bytes.toString(StandardCharsets.ISO_8859_1);
        int start = path.isAbsolute() ? 0 : 1;
        int end = all.length() > 1 && all.endsWith("/") ? all.length() - 1 : all.length();
        return all.substring(start, end);
    }

    /**
     * Returns the path with these bytes.
     *
     * @param bytes as ISO 8859-1
     * @return empty if no path has these bytes: it contains NUL
     */
    public static Optional<Path> path(String bytes) {
        if (bytes.indexOf('\0') >= 0) {
            return Optional.empty();
        }
        try {
            if (isAscii(bytes)) {
                return Optional.of(Path.of(bytes));
            }
            Path path = bytes.startsWith("/") ? ROOT : Path.of("");
            for (String name : bytes.split("/", -1)) {
                if (!name.isEmpty()) {
                    path = path.resolve(isAscii(name) ? Path.of(name) : name(name));
                }
            }
            return Optional.of(path);
        } catch (InvalidPathException unusable) {
            return Optional.empty();
        }
    }

    private static Path name(String bytes) {
        StringBuilder escaped = new StringBuilder("file:///");
        for (int at = 0; at < bytes.length(); at++) {
            escaped.append('%').append(String.format("%02X", (int) bytes.charAt(at)));
        }
        return ROOT.relativize(Path.of(URI.create(escaped.toString())));
    }

    /**
     * Returns a path for a message: text without control characters, and different for different
     * paths.
     *
     * @param path the path
     * @return the path, with {@code \xHH} for each byte that is not printable UTF-8 text, and for
     *     the backslash of an {@code \x} in the path itself
     */
    public static String escaped(Path path) {
        return escaped(of(path));
    }

    /** Returns bytes for a message, as {@link #escaped(Path)} does. */
    public static String escaped(String bytes) {
        byte[] raw = bytes.getBytes(StandardCharsets.ISO_8859_1);
        StringBuilder shown = new StringBuilder();
        int at = 0;
        while (at < raw.length) {
            int length = lengthOfCharacter(raw, at);
            Optional<String> character = looksEscaped(raw, at) ? Optional.empty() : decoded(raw, at, length);
            if (character.isPresent()) {
                shown.append(character.get());
                at += length;
            } else {
                shown.append(String.format("\\x%02x", raw[at] & 0xff));
                at++;
            }
        }
        return shown.toString();
    }

    private static boolean looksEscaped(byte[] raw, int at) {
        return raw[at] == '\\' && at + 1 < raw.length && raw[at + 1] == 'x';
    }

    private static int lengthOfCharacter(byte[] raw, int at) {
        int first = raw[at] & 0xff;
        int length = first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
        return Math.min(length, raw.length - at);
    }

    private static Optional<String> decoded(byte[] raw, int at, int length) {
        try {
            String character = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(raw, at, length))
                    .toString();
            boolean printable = character.codePoints().allMatch(PathBytes::isPrintable);
            return printable ? Optional.of(character) : Optional.empty();
        } catch (CharacterCodingException notUtf8) {
            return Optional.empty();
        }
    }

    private static boolean isPrintable(int codePoint) {
        return switch (Character.getType(codePoint)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.PRIVATE_USE,
                    Character.UNASSIGNED,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR -> false;
            default -> true;
        };
    }

    private static boolean isAscii(String text) {
        // No stream: the search of a worktree comes here for each directory, while the program starts.
        for (int at = 0; at < text.length(); at++) {
            if (text.charAt(at) >= 0x80) {
                return false;
            }
        }
        return true;
    }
}
