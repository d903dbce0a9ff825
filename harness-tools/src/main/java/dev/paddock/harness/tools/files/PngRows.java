package dev.paddock.harness.tools.files;

import dev.paddock.harness.tools.threads.HarnessThreads;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/**
 * Decodes a PNG image row by row: only two rows and two blocks of data are in memory, whatever size the image claims,
 * and data after its rows is not read. Pure Java, since a command may have crafted the image.
 */
final class PngRows implements AutoCloseable {
    /** The most bytes of all rows: 40 million pixels of 8 bits, or 20 million of 16. */
    private static final long MAX_BYTES = 160_000_000;

    /** More than 500 bytes in each, in the largest file; encoders write 8,192 or more. */
    private static final int MAX_CHUNKS = 65_536;

    /**
     * Large enough for many rows: at the end of each call the inflater copies its last 32 KiB, and each block costs a
     * thread.
     */
    private static final int BLOCK_BYTES = 1 << 20;

    private static final Executor THREADS = HarnessThreads.perTask("paddock-image");

    private static final int SIGNATURE = 8;
    private static final int HEADER = 0x49484452; // IHDR
    private static final int COLORS = 0x504C5445; // PLTE
    private static final int TRANSPARENCY = 0x74524E53; // tRNS
    private static final int DATA = 0x49444154; // IDAT
    private static final int PALETTE = 3;
    private static final int OPAQUE = 0xFF000000;

    private final byte[] content;
    private final ByteBuffer file;
    private final int width;
    private final int height;
    private final int depth;
    private final int color;
    private final int[] palette = new int[256];
    private final Inflater inflater = new Inflater();
    private int chunk = SIGNATURE;
    private int chunks;

    /** Inflated bytes; the rows before an index have been taken. */
    private byte[] block = {};

    private int taken;
    private int filled;

    /** The block that another thread inflates while this one's rows are decoded, and its expected length. */
    private byte[] next = {};

    private CompletableFuture<Integer> coming = CompletableFuture.completedFuture(0);

    /** How many bytes of the rows are not inflated yet. */
    private long left;

    /** A byte that names the filter, and the pixels. */
    private byte[] row = {};

    private byte[] above = {};

    /** A row of 16-bit samples without their low bytes. */
    private byte[] high = {};

    private PngRows(byte[] content) {
        this.content = content;
        this.file = ByteBuffer.wrap(content);
        this.width = file.getInt(16);
        this.height = file.getInt(20);
        this.depth = file.get(24);
        this.color = file.get(25);
        Arrays.fill(palette, OPAQUE);
    }

    /** Opens an image of a permitted size; empty if it is damaged, interlaced, or too large. */
    static Optional<PngRows> of(byte[] content) {
        ByteBuffer file = ByteBuffer.wrap(content);
        boolean isWhole = content.length >= 33 && file.getInt(SIGNATURE) == 13 && file.getInt(12) == HEADER;
        if (!isWhole || file.get(28) != 0 || !isKnown(file.get(24), file.get(25))) {
            return Optional.empty();
        }
        PngRows rows = new PngRows(content);
        long bytes = rows.bytesInRow() * rows.height;
        if (rows.width <= 0 || rows.height <= 0 || bytes > MAX_BYTES || !rows.nextData()) {
            rows.close();
            return Optional.empty();
        }
        rows.row = new byte[(int) (1 + rows.bytesInRow())];
        rows.above = new byte[rows.row.length];
        rows.high = new byte[rows.depth == 16 ? 1 + rows.row.length / 2 : 0];
        rows.left = bytes + rows.height;
        rows.block = new byte[(int) Math.min(rows.left, BLOCK_BYTES)];
        rows.next = new byte[rows.block.length];
        rows.inflateNext();
        return Optional.of(rows);
    }

    private static boolean isKnown(int depth, int color) {
        return switch (color) {
            case 0 -> depth == 1 || depth == 2 || depth == 4 || depth == 8 || depth == 16;
            case PALETTE -> depth == 1 || depth == 2 || depth == 4 || depth == 8;
            case 2, 4, 6 -> depth == 8 || depth == 16;
            default -> false;
        };
    }

    private long bytesInRow() {
        return ((long) width * depth * channels() + 7) / 8;
    }

    private int channels() {
        return switch (color) {
            case 2 -> 3;
            case 4 -> 2;
            case 6 -> 4;
            default -> 1;
        };
    }

    int width() {
        return width;
    }

    int height() {
        return height;
    }

    /** Gives the decoder the next non-empty data; returns false if there is none. */
    private boolean nextData() {
        while (chunk + 12 <= content.length && chunks < MAX_CHUNKS) {
            int length = file.getInt(chunk);
            int start = chunk + 8;
            if (length < 0 || length > content.length - chunk - 12) {
                return false;
            }
            int type = file.getInt(chunk + 4);
            chunk += 12 + length;
            chunks++;
            switch (type) {
                case DATA -> {
                    if (length > 0) {
                        inflater.setInput(content, start, length);
                        return true;
                    }
                }
                case COLORS -> {
                    for (int i = 0; i < Math.min(length / 3, palette.length); i++) {
                        palette[i] = (palette[i] & OPAQUE) | rgb(content, start + 3 * i);
                    }
                }
                case TRANSPARENCY -> {
                    for (int i = 0; i < Math.min(length, palette.length); i++) {
                        palette[i] = (palette[i] & ~OPAQUE) | (content[start + i] << 24);
                    }
                }
                default -> {}
            }
        }
        return false;
    }

    /**
     * Decodes the next row; there has to be one.
     *
     * @param argb receives the pixels
     * @throws IOException if the image is damaged
     */
    void next(int[] argb) throws IOException {
        byte[] before = above;
        above = row;
        row = before;
        take();
        unfilter(row, above, Math.max(1, depth * channels() / 8));
        if (depth < 8) {
            expandBits(argb);
        } else {
            expand(argb, depth == 16 ? highBytes() : row);
        }
    }

    /** Takes a row from the inflated bytes. */
    private void take() throws IOException {
        int at = 0;
        while (at < row.length) {
            if (taken == filled) {
                exchangeBlocks();
            }
            int count = Math.min(row.length - at, filled - taken);
            System.arraycopy(block, taken, row, at, count);
            at += count;
            taken += count;
        }
    }

    private void exchangeBlocks() throws IOException {
        try {
            filled = coming.join();
        } catch (CompletionException fault) {
            if (fault.getCause() instanceof UncheckedIOException damaged) {
                throw damaged.getCause();
            }
            throw fault;
        }
        byte[] inflated = next;
        next = block;
        block = inflated;
        taken = 0;
        inflateNext();
    }

    private void inflateNext() {
        if (left > 0) {
            byte[] into = next;
            coming = CompletableFuture.supplyAsync(() -> inflate(into), THREADS);
        }
    }

    /** Inflates into a block; fills it except at the end of the data. */
    private int inflate(byte[] into) {
        int wanted = (int) Math.min(left, into.length);
        int count = 0;
        while (count < wanted) {
            int more;
            try {
                more = inflater.inflate(into, count, wanted - count);
            } catch (DataFormatException e) {
                throw new UncheckedIOException(new IOException("the image is damaged", e));
            }
            if (more == 0 && !(inflater.needsInput() && nextData())) {
                throw new UncheckedIOException(new IOException("the image ends early"));
            }
            count += more;
        }
        left -= count;
        return count;
    }

    private static void unfilter(byte[] row, byte[] above, int distance) throws IOException {
        int first = 1 + distance;
        switch (row[0]) {
            case 0 -> {}
            case 1 -> {
                for (int i = first; i < row.length; i++) {
                    row[i] += row[i - distance];
                }
            }
            case 2 -> add(row, above, row.length);
            case 3 -> {
                for (int i = 1; i < row.length; i++) {
                    int left = i < first ? 0 : row[i - distance] & 0xFF;
                    row[i] += (byte) ((left + (above[i] & 0xFF)) / 2);
                }
            }
            case 4 -> {
                add(row, above, first);
                for (int i = first; i < row.length; i++) {
                    row[i] += (byte) nearest(row[i - distance] & 0xFF, above[i] & 0xFF, above[i - distance] & 0xFF);
                }
            }
            default -> throw new IOException("the image has an unknown filter: " + row[0]);
        }
    }

    private static void add(byte[] row, byte[] above, int end) {
        for (int i = 1; i < end; i++) {
            row[i] += above[i];
        }
    }

    /**
     * Predicts a byte (Paeth): the one of the three that is nearest to left + up - corner. That is the lower of left
     * and up if the corner is at least twice as far from it as from the higher one, the higher one in the opposite
     * case, and the corner between them. Without branches, which processors would mispredict.
     */
    private static int nearest(int left, int up, int corner) {
        int low = Math.min(left, up);
        int high = Math.max(left, up);
        int bound = 3 * corner - low - high;
        int result = high <= bound ? low : corner;
        return bound <= low ? high : result;
    }

    /** Returns the row with only the high byte of each 16-bit sample. */
    private byte[] highBytes() {
        for (int i = 1; i < high.length; i++) {
            high[i] = row[2 * i - 1];
        }
        return high;
    }

    /** Expands 8-bit samples. Has a loop for each kind, to keep decisions out of the loops. */
    private void expand(int[] argb, byte[] samples) {
        switch (color) {
            case PALETTE -> {
                for (int x = 0; x < width; x++) {
                    argb[x] = palette[samples[1 + x] & 0xFF];
                }
            }
            case 0 -> {
                for (int x = 0; x < width; x++) {
                    argb[x] = OPAQUE | gray(samples[1 + x] & 0xFF);
                }
            }
            case 4 -> {
                for (int x = 0; x < width; x++) {
                    argb[x] = (samples[2 + 2 * x] << 24) | gray(samples[1 + 2 * x] & 0xFF);
                }
            }
            case 6 -> {
                for (int x = 0; x < width; x++) {
                    argb[x] = (samples[4 + 4 * x] << 24) | rgb(samples, 1 + 4 * x);
                }
            }
            default -> {
                for (int x = 0; x < width; x++) {
                    argb[x] = OPAQUE | rgb(samples, 1 + 3 * x);
                }
            }
        }
    }

    private void expandBits(int[] argb) {
        int most = (1 << depth) - 1;
        for (int x = 0; x < width; x++) {
            int bit = x * depth;
            int sample = (row[1 + bit / 8] & 0xFF) >> (8 - depth - bit % 8) & most;
            argb[x] = color == PALETTE ? palette[sample] : OPAQUE | gray(sample * 255 / most);
        }
    }

    private static int gray(int value) {
        return (value << 16) | (value << 8) | value;
    }

    private static int rgb(byte[] bytes, int at) {
        return ((bytes[at] & 0xFF) << 16) | ((bytes[at + 1] & 0xFF) << 8) | (bytes[at + 2] & 0xFF);
    }

    /** Waits for the block that is being inflated. */
    @Override
    public void close() {
        coming.exceptionally(damaged -> 0).join();
        inflater.end();
    }
}
