package dev.paddock.harness.tools.files;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.zip.InflaterInputStream;

/**
 * Decodes a PNG image row by row: two rows are in memory, whatever size the image claims. Pure
 * Java, since a command may have crafted the image.
 */
final class PngRows {
    private static final int SIGNATURE = 8;
    private static final int PALETTE = 3;

    private final int width;
    private final int height;
    private final int depth;
    private final int color;
    private final InputStream data;
    private byte[] palette = {};
    private byte[] alpha = {};
    private byte[] row;
    private byte[] above;

    private PngRows(ByteBuffer header, List<ByteArrayInputStream> parts) {
        this.width = header.getInt(0);
        this.height = header.getInt(4);
        this.depth = header.get(8);
        this.color = header.get(9);
        this.data = new InflaterInputStream(new SequenceInputStream(Collections.enumeration(parts)));
        this.row = new byte[(int) (((long) width * depth * channels() + 7) / 8)];
        this.above = new byte[row.length];
    }

    /** Opens an image of a permitted size; empty if it is damaged, or interlaced. */
    static Optional<PngRows> of(byte[] file) {
        ByteBuffer bytes = ByteBuffer.wrap(file);
        List<ByteArrayInputStream> parts = new ArrayList<>();
        byte[] header = {};
        byte[] palette = {};
        byte[] alpha = {};
        int at = SIGNATURE;
        while (at + 12 <= file.length) {
            int length = bytes.getInt(at);
            if (length < 0 || length > file.length - at - 12) {
                return Optional.empty();
            }
            byte[] content = Arrays.copyOfRange(file, at + 8, at + 8 + length);
            switch (new String(file, at + 4, 4, StandardCharsets.ISO_8859_1)) {
                case "IHDR" -> header = at == SIGNATURE ? content : header; // ImageHeader checked the first one's size
                case "PLTE" -> palette = content;
                case "tRNS" -> alpha = content;
                case "IDAT" -> parts.add(new ByteArrayInputStream(content));
                default -> {}
            }
            at += 12 + length;
        }
        if (header.length != 13 || header[12] != 0 || !isKnown(header[8], header[9])) {
            return Optional.empty();
        }
        PngRows rows = new PngRows(ByteBuffer.wrap(header), parts);
        rows.palette = palette;
        rows.alpha = rows.color == PALETTE ? alpha : new byte[0];
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

    /**
     * Decodes the next row.
     *
     * @param rgba receives four bytes for each pixel
     * @throws IOException if the image is damaged
     */
    void next(byte[] rgba) throws IOException {
        byte[] before = above;
        above = row;
        row = before;
        int filter = data.read();
        if (filter < 0 || data.readNBytes(row, 0, row.length) < row.length) {
            throw new IOException("the image ends early");
        }
        unfilter(filter);
        for (int x = 0; x < width; x++) {
            pixel(x, rgba);
        }
    }

    private void unfilter(int filter) throws IOException {
        int distance = Math.max(1, depth * channels() / 8);
        for (int i = 0; i < row.length; i++) {
            int left = i < distance ? 0 : row[i - distance] & 0xFF;
            int up = above[i] & 0xFF;
            int corner = i < distance ? 0 : above[i - distance] & 0xFF;
            row[i] += (byte)
                    switch (filter) {
                        case 0 -> 0;
                        case 1 -> left;
                        case 2 -> up;
                        case 3 -> (left + up) / 2;
                        case 4 -> nearest(left, up, corner);
                        default -> throw new IOException("the image has an unknown filter: " + filter);
                    };
        }
    }

    /** Predicts a byte (Paeth). */
    private static int nearest(int left, int up, int corner) {
        int guess = left + up - corner;
        int toLeft = Math.abs(guess - left);
        int toUp = Math.abs(guess - up);
        int toCorner = Math.abs(guess - corner);
        if (toLeft <= toUp && toLeft <= toCorner) {
            return left;
        }
        return toUp <= toCorner ? up : corner;
    }

    private void pixel(int x, byte[] rgba) {
        int to = 4 * x;
        rgba[to + 3] = -1;
        switch (color) {
            case PALETTE -> {
                int index = sample(x);
                for (int i = 0; i < 3; i++) {
                    rgba[to + i] = 3 * index + i < palette.length ? palette[3 * index + i] : 0;
                }
                rgba[to + 3] = index < alpha.length ? alpha[index] : -1;
            }
            case 0 -> Arrays.fill(rgba, to, to + 3, (byte) (sample(x) * 255 / ((1 << Math.min(depth, 8)) - 1)));
            case 4 -> {
                Arrays.fill(rgba, to, to + 3, high(2 * x));
                rgba[to + 3] = high(2 * x + 1);
            }
            default -> {
                for (int i = 0; i < channels(); i++) {
                    rgba[to + i] = high(channels() * x + i);
                }
            }
        }
    }

    /** Returns the high byte of a sample of 8 or 16 bits. */
    private byte high(int index) {
        return row[index * depth / 8];
    }

    private int sample(int x) {
        if (depth >= 8) {
            return high(x) & 0xFF;
        }
        int bit = x * depth;
        return (row[bit / 8] & 0xFF) >> (8 - depth - bit % 8) & ((1 << depth) - 1);
    }
}
