package dev.paddock.harness.tools.files;

import dev.paddock.harness.tools.ToolException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.CharsetEncoder;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.IllegalCharsetNameException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * How a file stores its text.
 *
 * @param charset the character set
 * @param marked whether a byte order mark precedes the text
 */
record TextEncoding(Charset charset, boolean marked) {
    static final TextEncoding UTF_8 = new TextEncoding(StandardCharsets.UTF_8, false);

    /** Describes the argument that names an encoding, for the model. */
    static final String ARGUMENT = "The file's encoding, such as windows-1250, if it is detected wrongly";

    private static final Pattern SWITCHES = Pattern.compile("(?i)iso-?2022|windows-5022");

    private static final char MARK = '\ufeff';

    /**
     * Returns the encoding that a caller names. Refuses encodings that switch between character sets (ISO-2022, and
     * windows-50220 and -50221, which are equivalent): a character's bytes depend on the text before it, so that an
     * edit could change the bytes after it.
     */
    static TextEncoding named(String name) {
        String upper = name.toUpperCase(Locale.ROOT);
        if (upper.equals("UTF-16")) {
            return new TextEncoding(StandardCharsets.UTF_16LE, true);
        }
        try {
            if (Charset.isSupported(name)) {
                Charset charset = Charset.forName(name);
                if (charset.canEncode() && !SWITCHES.matcher(charset.name()).find()) {
                    return new TextEncoding(charset, false);
                }
            }
        } catch (IllegalCharsetNameException malformed) {
            throw unknown(name);
        }
        throw unknown(name);
    }

    private static ToolException unknown(String name) {
        return new ToolException("encoding '" + name + "' is not supported. Give one such as UTF-8, UTF-16LE,"
                + " windows-1252, ISO-8859-2, GB18030 or Shift_JIS");
    }

    /** Returns the encoding that a byte order mark states. */
    static Optional<TextEncoding> ofMark(byte[] start) {
        if (startsWith(start, 0xEF, 0xBB, 0xBF)) {
            return Optional.of(new TextEncoding(StandardCharsets.UTF_8, true));
        }
        if (startsWith(start, 0xFF, 0xFE, 0, 0)) {
            return Optional.empty(); // UTF-32, which nobody uses
        }
        if (startsWith(start, 0xFF, 0xFE)) {
            return Optional.of(new TextEncoding(StandardCharsets.UTF_16LE, true));
        }
        if (startsWith(start, 0xFE, 0xFF)) {
            return Optional.of(new TextEncoding(StandardCharsets.UTF_16BE, true));
        }
        return Optional.empty();
    }

    private static boolean startsWith(byte[] bytes, int... mark) {
        for (int i = 0; i < mark.length; i++) {
            if (i >= bytes.length || (bytes[i] & 0xFF) != mark[i]) {
                return false;
            }
        }
        return true;
    }

    /** Returns whether all characters are ASCII, which nearly every encoding stores alike. */
    static boolean isAscii(byte[] utf8) {
        for (byte one : utf8) {
            if (one < 0) {
                return false;
            }
        }
        return true;
    }

    boolean isUtf8() {
        return charset.equals(StandardCharsets.UTF_8);
    }

    /** Returns this encoding with the byte order mark that some content has or lacks. */
    TextEncoding withMarkOf(byte[] content) {
        Optional<TextEncoding> stated = ofMark(content);
        if (marked && stated.isPresent()) { // for "UTF-16", the mark states the byte order
            return stated.get();
        }
        byte[] mark = String.valueOf(MARK).getBytes(charset);
        boolean canMark = charset.newEncoder().canEncode(MARK);
        boolean has =
                canMark && content.length >= mark.length && Arrays.equals(mark, Arrays.copyOf(content, mark.length));
        return new TextEncoding(charset, has);
    }

    /**
     * Returns a file's text without the byte order mark; empty if encoding it again would not yield exactly these
     * bytes.
     */
    Optional<String> decode(byte[] content) {
        try {
            CharBuffer text = charset.newDecoder()
                    .onMalformedInput(CodingErrorAction.REPORT)
                    .onUnmappableCharacter(CodingErrorAction.REPORT)
                    .decode(ByteBuffer.wrap(content));
            if (!ByteBuffer.wrap(content).equals(encoder().encode(text.duplicate()))) {
                return Optional.empty();
            }
            String whole = text.toString();
            boolean hasMark = !whole.isEmpty() && whole.charAt(0) == MARK;
            if (marked != hasMark) {
                return Optional.empty();
            }
            return Optional.of(marked ? whole.substring(1) : whole);
        } catch (CharacterCodingException invalid) {
            return Optional.empty();
        }
    }

    /**
     * Returns the bytes of a text, after the byte order mark.
     *
     * @param subject names the text in the message
     * @throws ToolException if the encoding lacks one of its characters
     */
    byte[] encode(String text, String subject) {
        CharsetEncoder encoder = encoder();
        String whole = marked && !text.startsWith(String.valueOf(MARK)) ? MARK + text : text;
        try {
            ByteBuffer bytes = encoder.encode(CharBuffer.wrap(whole));
            byte[] exact = new byte[bytes.remaining()];
            bytes.get(exact);
            return exact;
        } catch (CharacterCodingException lacking) {
            throw new ToolException(subject + " contains " + lacking(whole) + ", which " + charset.name()
                    + ", the file's encoding, does not have. Nothing was written. Use other characters, or convert"
                    + " the file to UTF-8 with a command first");
        }
    }

    private String lacking(String text) {
        CharsetEncoder encoder = encoder();
        return text.codePoints()
                .filter(point -> !encoder.canEncode(Character.toString(point)))
                .mapToObj(point -> String.format(Locale.ROOT, "'%s' (U+%04X)", Character.toString(point), point))
                .findFirst()
                .orElse("a character");
    }

    private CharsetEncoder encoder() {
        return charset.newEncoder()
                .onMalformedInput(CodingErrorAction.REPORT)
                .onUnmappableCharacter(CodingErrorAction.REPORT);
    }

    /** Returns the name for people, such as "UTF-16LE with a byte order mark". */
    @Override
    public String toString() {
        return marked ? charset.name() + " with a byte order mark" : charset.name();
    }
}
