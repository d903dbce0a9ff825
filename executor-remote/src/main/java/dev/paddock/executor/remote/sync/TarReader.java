package dev.paddock.executor.remote.sync;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Reads consecutive archives, as {@code xargs tar} writes them. The remote side may write anything; this class only
 * separates entries and their content, and interprets no name.
 */
final class TarReader {
    private static final int BLOCK = TarWriter.BLOCK;

    /** More than the longest path, with the other fields of an extended header. */
    private static final int MAX_EXTENSION = 64 << 10;

    /** The most extents of a file with holes; a map of them takes some 30 MB. */
    private static final int MAX_EXTENTS = 1 << 20;

    private final InputStream input;
    private final byte[] header = new byte[BLOCK];
    private final byte[] buffer = new byte[64 << 10];

    /** Unread bytes of the current entry's content and padding. */
    private long left;

    private long padding;

    /** The parts of the current entry's content in the archive, if not all are there. */
    private List<Extent> extents = List.of();

    /** A part of a file. */
    private record Extent(long offset, long length) {}

    /**
     * An entry, whose content comes next.
     *
     * @param type a letter: {@code 0} for a file, {@code 1} for another name of one, {@code 2} for a symbolic link
     * @param name the archive's bytes, each character one byte
     * @param target of a link
     * @param size of its content in bytes
     * @param stored how many of these the archive has; the rest is in holes
     */
    record Item(char type, String name, String target, long size, long stored) {}

    TarReader(InputStream input) {
        this.input = input;
    }

    /** Returns the next entry; empty at the end of the stream. */
    Optional<Item> next() throws IOException {
        String longName = "";
        String longTarget = "";
        Optional<Extended> extended = Optional.empty();
        while (true) {
            skip();
            if (!readHeader()) {
                return Optional.empty();
            }
            char type = header[156] == 0 ? '0' : (char) (header[156] & 0xff);
            long size = extended.isPresent() && extended.get().size() >= 0
                    ? extended.get().size()
                    : number(124, 12);
            if (size < 0) {
                throw new IOException("the remote side's archive has an entry of a negative size");
            }
            left = size;
            padding = (BLOCK - size % BLOCK) % BLOCK;
            extents = List.of();
            switch (type) {
                case 'L' -> longName = text(extension(), MAX_EXTENSION);
                case 'K' -> longTarget = text(extension(), MAX_EXTENSION);
                case 'x' -> extended = Optional.of(Extended.of(extension()));
                case 'g' -> {} // comments of the whole archive
                default -> {
                    long whole = type == 'S' ? sparse() : size;
                    String name = extended.map(Extended::name)
                            .filter(set -> !set.isEmpty())
                            .orElse(longName);
                    String target = extended.map(Extended::target)
                            .filter(set -> !set.isEmpty())
                            .orElse(longTarget);
                    return Optional.of(new Item(
                            type,
                            name.isEmpty() ? shortName() : name,
                            target.isEmpty() ? field(157, 100) : target,
                            whole,
                            size));
                }
            }
        }
    }

    /**
     * Reads the map of a file with holes, as GNU's tar writes it: four parts in the header, and 21 in each following
     * block while a byte announces one.
     *
     * @return the size of the whole file
     */
    private long sparse() throws IOException {
        long whole = number(483, 12);
        List<Extent> parts = new ArrayList<>();
        boolean more = header[482] != 0;
        addExtents(parts, 386, 4);
        while (more) {
            if (input.readNBytes(header, 0, BLOCK) < BLOCK) {
                throw new EOFException("the remote side's archive is cut off");
            }
            if (parts.size() > MAX_EXTENTS) {
                throw new IOException("the remote side's archive has a file of more than " + MAX_EXTENTS + " parts");
            }
            addExtents(parts, 0, 21);
            more = header[504] != 0;
        }
        long end = 0;
        long sum = 0;
        for (Extent part : parts) {
            if (part.offset() < end || part.length() < 0 || part.length() > whole - part.offset()) {
                throw new IOException("the remote side's archive has a file of impossible parts");
            }
            end = part.offset() + part.length();
            sum += part.length();
        }
        if (sum != left) {
            throw new IOException("the remote side's archive has a file of impossible parts");
        }
        extents = parts;
        return whole;
    }

    private void addExtents(List<Extent> parts, int at, int count) throws IOException {
        for (int index = 0; index < count && header[at + index * 24] != 0; index++) {
            parts.add(new Extent(number(at + index * 24, 12), number(at + index * 24 + 12, 12)));
        }
    }

    /** Copies the current entry's content to its offsets in the file. */
    void copyTo(SparseOutput output) throws IOException {
        for (Extent part : extents) {
            output.position(part.offset());
            for (long rest = part.length(); rest > 0; ) {
                int read = read(rest);
                output.write(buffer, 0, read);
                rest -= read;
            }
        }
        copyTo((OutputStream) output);
    }

    /** Copies the rest of the current entry's content. */
    void copyTo(OutputStream output) throws IOException {
        while (left > 0) {
            int read = read(left);
            output.write(buffer, 0, read);
        }
    }

    private int read(long most) throws IOException {
        int read = input.read(buffer, 0, (int) Math.min(buffer.length, most));
        if (read < 0) {
            throw new EOFException("the remote side's archive is cut off");
        }
        left -= read;
        return read;
    }

    private void skip() throws IOException {
        left = Math.addExact(left, padding);
        padding = 0;
        while (left > 0) {
            read(left);
        }
    }

    /** Reads the next header, past the zeros at the end of an archive. */
    private boolean readHeader() throws IOException {
        do {
            int length = input.readNBytes(header, 0, BLOCK);
            if (length == 0) {
                return false;
            }
            if (length < BLOCK) {
                throw new EOFException("the remote side's archive is cut off");
            }
        } while (isZero());
        int sum = 0;
        for (int index = 0; index < BLOCK; index++) {
            sum += (index >= 148 && index < 156) ? ' ' : (header[index] & 0xff);
        }
        if (sum != number(148, 8)) {
            throw new IOException("the remote side sends something else than an archive");
        }
        return true;
    }

    private boolean isZero() {
        for (byte each : header) {
            if (each != 0) {
                return false;
            }
        }
        return true;
    }

    private byte[] extension() throws IOException {
        if (left > MAX_EXTENSION) {
            throw new IOException("the remote side's archive has a name of " + left + " bytes");
        }
        byte[] data = input.readNBytes((int) left);
        if (data.length < left) {
            throw new EOFException("the remote side's archive is cut off");
        }
        left = 0;
        return data;
    }

    private String shortName() {
        String name = field(0, 100);
        boolean posix = header[262] == 0; // "ustar\0"; GNU's format uses the prefix for other fields
        String prefix = posix ? field(345, 155) : "";
        return prefix.isEmpty() ? name : prefix + "/" + name;
    }

    private String field(int at, int length) {
        byte[] bytes = new byte[length];
        System.arraycopy(header, at, bytes, 0, length);
        return text(bytes, length);
    }

    private static String text(byte[] bytes, int most) {
        int length = 0;
        while (length < Math.min(bytes.length, most) && bytes[length] != 0) {
            length++;
        }
        return new String(bytes, 0, length, StandardCharsets.ISO_8859_1);
    }

    private long number(int at, int length) throws IOException {
        if ((header[at] & 0x80) != 0) {
            long value = header[at] & 0x7f;
            for (int index = at + 1; index < at + length; index++) {
                if (value >> 55 != 0) {
                    throw new IOException("the remote side's archive has an entry of an impossible size");
                }
                value = (value << 8) | (header[index] & 0xff);
            }
            return value;
        }
        try {
            String digits = field(at, length).strip();
            return digits.isEmpty() ? 0 : Long.parseLong(digits, 8);
        } catch (NumberFormatException garbled) {
            throw new IOException("the remote side sends something else than an archive", garbled);
        }
    }

    /** The fields of POSIX' extended header; -1 for a missing size. */
    private record Extended(String name, String target, long size) {

        static Extended of(byte[] data) throws IOException {
            Extended fields = new Extended("", "", -1);
            String text = new String(data, StandardCharsets.ISO_8859_1);
            for (int at = 0; at < text.length(); ) {
                int blank = text.indexOf(' ', at);
                int equal = text.indexOf('=', at);
                try {
                    int end = at + Integer.parseInt(text.substring(at, Math.max(at, blank)));
                    fields = fields.with(text.substring(blank + 1, equal), text.substring(equal + 1, end - 1));
                    at = Math.max(end, at + 1);
                } catch (NumberFormatException | StringIndexOutOfBoundsException garbled) {
                    throw new IOException("the remote side's archive has a garbled header", garbled);
                }
            }
            return fields;
        }

        private Extended with(String key, String value) {
            return switch (key) {
                case "path" -> new Extended(value, target, size);
                case "linkpath" -> new Extended(name, value, size);
                case "size" -> new Extended(name, target, Long.parseLong(value));
                default -> this;
            };
        }
    }
}
