package dev.paddock.harness.tools.files;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;

/**
 * Replaces one text by another in the bytes of a file, and keeps all other bytes: invalid UTF-8, a byte order mark,
 * line ends.
 *
 * <p>In a file with CR LF line ends, a text with bare line feeds matches regardless of carriage returns, since the file
 * was shown without them; the replacement gets the file's line ends.
 */
final class Replacement {
    static final int NAMED_OCCURRENCES = 5;

    private final byte[] file;
    private final byte[] sought;
    private final byte[] substitute;
    private final boolean bareLines;
    private final boolean mostlyCrLf;
    private final byte[] searched;

    Replacement(byte[] file, byte[] sought, byte[] substitute) {
        this.file = file;
        this.sought = sought;
        this.substitute = substitute;
        this.bareLines = hasCrLf(file) && !hasCr(sought);
        this.mostlyCrLf = bareLines && mostlyCrLf(file);
        this.searched = bareLines ? withoutCr(file) : file;
    }

    /**
     * Returns where the text occurs, including overlapping occurrences, in linear time however repetitive the file is.
     */
    Occurrences occurrences() {
        List<Integer> first = new ArrayList<>();
        int[] count = {0};
        search(true, offset -> {
            count[0]++;
            if (first.size() < NAMED_OCCURRENCES) {
                first.add(offset);
            }
        });
        return new Occurrences(count[0], first);
    }

    /** Returns the offsets of the occurrences that do not overlap an earlier one, from the start. */
    int[] separate() {
        IntStream.Builder found = IntStream.builder();
        search(false, found);
        return found.build().toArray();
    }

    private void search(boolean overlapping, IntConsumer found) {
        int[] fallback = fallbacks();
        int matched = 0;
        for (int at = 0; at < searched.length; at++) {
            while (matched > 0 && (matched == sought.length || searched[at] != sought[matched])) {
                matched = fallback[matched - 1];
            }
            matched += searched[at] == sought[matched] ? 1 : 0;
            if (matched == sought.length) {
                found.accept(at + 1 - sought.length);
                matched = overlapping ? matched : 0;
            }
        }
    }

    /**
     * Returns, for each prefix of the text, the length of its longest proper prefix that is also
     * its suffix (Knuth, Morris and Pratt).
     */
    private int[] fallbacks() {
        int[] fallback = new int[sought.length];
        int matched = 0;
        for (int at = 1; at < sought.length; at++) {
            while (matched > 0 && sought[at] != sought[matched]) {
                matched = fallback[matched - 1];
            }
            matched += sought[at] == sought[matched] ? 1 : 0;
            fallback[at] = matched;
        }
        return fallback;
    }

    /** Returns the number of the line that contains an offset, from 1. */
    long lineAt(int offset) {
        long line = 1;
        for (int i = 0; i < offset; i++) {
            line += searched[i] == '\n' ? 1 : 0;
        }
        return line;
    }

    /** Returns the file with the text at some offsets replaced; they ascend and do not overlap. */
    byte[] apply(int... starts) {
        ByteArrayOutputStream changed = new ByteArrayOutputStream(file.length + substitute.length);
        eachPart(starts, (kept, from, to, by) -> {
            changed.write(file, kept, from - kept);
            changed.writeBytes(by);
        });
        return changed.toByteArray();
    }

    /** Passes on the parts of the file in order. Each ends with a replaced text, except the last. */
    void eachPart(int[] starts, Parts parts) {
        Offset offset = new Offset();
        int kept = 0;
        for (int start : starts) {
            int from = offset.original(start);
            int to = offset.original(start + sought.length);
            parts.next(kept, from, to, bareLines ? withLineEnds(from, to) : substitute);
            kept = to;
        }
        parts.next(kept, file.length, file.length, new byte[0]);
    }

    /** Receives the parts of a changed file. */
    @FunctionalInterface
    interface Parts {
        /** Receives the kept bytes, from {@code kept}, and the replaced ones, from {@code from} to {@code to}. */
        void next(int kept, int from, int to, byte[] by);
    }

    /** Maps ascending offsets in the content without carriage returns to offsets in the file. */
    private final class Offset {
        private int at;
        private int passed;

        int original(int offset) {
            if (!bareLines) {
                return offset;
            }
            for (; passed < offset; at++) {
                passed += isCrLf(file, at) ? 0 : 1;
            }
            return at;
        }
    }

    private byte[] withLineEnds(int from, int to) {
        byte[] bare = withoutCr(substitute);
        return usesCrLf(from, to) ? withCr(bare) : bare;
    }

    /**
     * Returns whether the replacement uses CR LF: like the first replaced line end or, if no line
     * end is replaced, like most lines of the file.
     */
    private boolean usesCrLf(int from, int to) {
        for (int i = from; i < to; i++) {
            if (file[i] == '\n') {
                return i > 0 && file[i - 1] == '\r';
            }
        }
        return mostlyCrLf;
    }

    private static boolean mostlyCrLf(byte[] text) {
        int crLf = 0;
        int all = 0;
        for (int i = 0; i < text.length; i++) {
            crLf += isCrLf(text, i) ? 1 : 0;
            all += text[i] == '\n' ? 1 : 0;
        }
        return crLf * 2 >= all;
    }

    private static boolean hasCrLf(byte[] text) {
        for (int i = 0; i < text.length; i++) {
            if (isCrLf(text, i)) {
                return true;
            }
        }
        return false;
    }

    private static boolean hasCr(byte[] text) {
        for (byte b : text) {
            if (b == '\r') {
                return true;
            }
        }
        return false;
    }

    private static boolean isCrLf(byte[] text, int at) {
        return text[at] == '\r' && at + 1 < text.length && text[at + 1] == '\n';
    }

    private static byte[] withoutCr(byte[] text) {
        ByteArrayOutputStream bare = new ByteArrayOutputStream(text.length);
        for (int i = 0; i < text.length; i++) {
            if (!isCrLf(text, i)) {
                bare.write(text[i]);
            }
        }
        return bare.toByteArray();
    }

    private static byte[] withCr(byte[] bare) {
        ByteArrayOutputStream text = new ByteArrayOutputStream(bare.length + 16);
        for (byte b : bare) {
            if (b == '\n') {
                text.write('\r');
            }
            text.write(b);
        }
        return text.toByteArray();
    }

    /**
     * The occurrences of a text.
     *
     * @param count how many there are
     * @param first the first few: offsets for {@link #lineAt} and {@link #apply}
     */
    record Occurrences(int count, List<Integer> first) {}
}
