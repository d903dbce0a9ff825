package dev.paddock.executor.worktree.git;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.paddock.executor.worktree.git.index.HashFormat;
import java.io.ByteArrayOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/** Writes index files, also such as git would not write. */
final class IndexBuilder {
    static final int FILE = 0100644;
    static final int LINK = 0120000;
    static final int DIRECTORY = 0040000;
    static final int SKIP_WORKTREE = 0x4000;

    final List<Entry> entries = new ArrayList<>();
    final List<Extension> extensions = new ArrayList<>();
    int version = 2;
    HashFormat format = HashFormat.SHA_1;
    String object = "";

    /** How many entries the header tells more than there are. */
    int countError;

    /** The size of the blocks that the extension IEOT lists; none without it. */
    int blocks;

    /** Added to each offset in the extensions EOIE and IEOT. */
    int offsetError;

    /**
     * An entry.
     *
     * @param name bytes as ISO 8859-1
     * @param further the flags that only versions 3 and 4 have
     * @param lengthError how much the name's length in the flags is too large
     * @param padding the bytes behind the name, in versions 2 and 3
     * @param dropError how much more of the previous name it drops than it should, in version 4
     */
    record Entry(
            String name, int mode, int stage, int further, int lengthError, Optional<String> padding, int dropError) {
        static Entry of(String name, int mode) {
            return new Entry(name, mode, 0, 0, 0, Optional.empty(), 0);
        }

        Entry named(String other) {
            return new Entry(other, mode, stage, further, lengthError, padding, dropError);
        }

        Entry inMode(int other) {
            return new Entry(name, other, stage, further, lengthError, padding, dropError);
        }

        Entry inStage(int other) {
            return new Entry(name, mode, other, further, lengthError, padding, dropError);
        }

        Entry with(int otherFurther) {
            return new Entry(name, mode, stage, otherFurther, lengthError, padding, dropError);
        }

        Entry withLengthError(int error) {
            return new Entry(name, mode, stage, further, error, padding, dropError);
        }

        Entry padded(String bytes) {
            return new Entry(name, mode, stage, further, lengthError, Optional.of(bytes), dropError);
        }

        Entry withDropError(int error) {
            return new Entry(name, mode, stage, further, lengthError, padding, error);
        }
    }

    /** An extension; content as ISO 8859-1. */
    record Extension(String name, String content) {}

    int hashLength() {
        return format == HashFormat.SHA_1 ? 20 : 32;
    }

    /** Brings the entries into git's order. */
    IndexBuilder sort() {
        entries.sort(Comparator.comparing(Entry::name).thenComparingInt(Entry::stage));
        return this;
    }

    void extension(String name, String content) {
        extensions.add(new Extension(name, content));
    }

    /** Writes the index with its checksum. */
    byte[] build() {
        byte[] content = content();
        byte[] checksum = digest().digest(content);
        byte[] whole = Arrays.copyOf(content, content.length + checksum.length);
        System.arraycopy(checksum, 0, whole, content.length, checksum.length);
        return whole;
    }

    /** Writes the index without its checksum. */
    byte[] content() {
        ByteArrayOutputStream index = new ByteArrayOutputStream();
        write(index, "DIRC" + number(version) + number(entries.size() + countError));
        String previous = "";
        StringBuilder table = new StringBuilder(number(1));
        for (int at = 0; at < entries.size(); at++) {
            Entry entry = entries.get(at);
            if (blocks > 0 && at % blocks == 0) {
                previous = version == 4 ? "\0".repeat(previous.length()) : previous;
                table.append(number(index.size() + offsetError)).append(number(Math.min(blocks, entries.size() - at)));
            }
            write(index, entry(entry, previous));
            previous = entry.name();
        }
        int end = index.size();
        MessageDigest headers = digest();
        List<Extension> all = new ArrayList<>(extensions);
        if (blocks > 0 && !entries.isEmpty()) {
            all.add(0, new Extension("IEOT", table.toString()));
        }
        for (Extension extension : all) {
            String header = extension.name() + number(extension.content().length());
            headers.update(header.getBytes(ISO_8859_1));
            write(index, header + extension.content());
        }
        if (blocks > 0) {
            write(
                    index,
                    "EOIE" + number(4 + hashLength()) + number(end + offsetError)
                            + new String(headers.digest(), ISO_8859_1));
        }
        return index.toByteArray();
    }

    private String entry(Entry entry, String previous) {
        StringBuilder bytes = new StringBuilder("\0".repeat(24));
        int length = Math.min(entry.name().length(), 0xfff) + entry.lengthError();
        int extended = entry.further() == 0 ? 0 : 0x4000;
        bytes.append(number(entry.mode())).append("\0".repeat(12)).append(bytes(object));
        bytes.append(pair(extended | (entry.stage() << 12) | length));
        bytes.append(entry.further() == 0 ? "" : pair(entry.further()));
        if (version < 4) {
            bytes.append(entry.name());
            return bytes.append(entry.padding().orElse("\0".repeat(8 - bytes.length() % 8)))
                    .toString();
        }
        int common = 0;
        while (common < Math.min(previous.length(), entry.name().length())
                && previous.charAt(common) == entry.name().charAt(common)) {
            common++;
        }
        return bytes.append(variable(previous.length() - common + entry.dropError()))
                .append(entry.name().substring(common))
                .append('\0')
                .toString();
    }

    private static void write(ByteArrayOutputStream index, String bytes) {
        index.writeBytes(bytes.getBytes(ISO_8859_1));
    }

    /** Returns the checksum at the end of an index, in hexadecimal. */
    String checksum(byte[] index) {
        return HexFormat.of().formatHex(index, index.length - hashLength(), index.length);
    }

    static String bytes(String hexadecimal) {
        return new String(HexFormat.of().parseHex(hexadecimal), ISO_8859_1);
    }

    static String number(int number) {
        return pair(number >>> 16) + pair(number);
    }

    private static String pair(int number) {
        return "" + (char) ((number >>> 8) & 0xff) + (char) (number & 0xff);
    }

    static String variable(int number) {
        StringBuilder bytes = new StringBuilder().append((char) (number & 0x7f));
        for (int rest = number >> 7; rest != 0; rest >>= 7) {
            rest--;
            bytes.insert(0, (char) (0x80 | (rest & 0x7f)));
        }
        return bytes.toString();
    }

    /** Returns a compressed bitmap of literal words alone. */
    static String bitmap(BitSet bits) {
        long[] words = bits.toLongArray();
        StringBuilder bytes = new StringBuilder(number(bits.length()) + number(words.length + 1));
        bytes.append(word((long) words.length << 33));
        for (long word : words) {
            bytes.append(word(word));
        }
        return bytes.append(number(0)).toString();
    }

    private static String word(long word) {
        return number((int) (word >>> 32)) + number((int) word);
    }

    private MessageDigest digest() {
        try {
            return MessageDigest.getInstance(format == HashFormat.SHA_1 ? "SHA-1" : "SHA-256");
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
