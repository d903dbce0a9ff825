package dev.paddock.harness.tools.files;

import dev.paddock.executor.AbortSignal;
import java.io.IOException;
import java.util.Arrays;
import java.util.Optional;

/** A PNG image made smaller: each pixel is the mean of those that it replaces. */
final class SmallerPng {
    private final int width;
    private final int height;
    private final byte[] file;

    private SmallerPng(int width, int height, byte[] file) {
        this.width = width;
        this.height = height;
        this.file = file;
    }

    int width() {
        return width;
    }

    int height() {
        return height;
    }

    /** Returns the image, which belongs to the caller. */
    byte[] file() {
        return file;
    }

    /**
     * Scales an image down.
     *
     * @param side the longest side of the result, in pixels
     * @return the smaller image; empty if it is damaged or interlaced
     */
    static Optional<SmallerPng> of(byte[] file, int side, AbortSignal signal) {
        Optional<PngRows> opened = PngRows.of(file);
        if (opened.isEmpty()) {
            return Optional.empty();
        }
        PngRows rows = opened.get();
        int longest = Math.max(rows.width(), rows.height());
        int width = Math.max(1, (int) ((long) rows.width() * Math.min(side, longest) / longest));
        int height = Math.max(1, (int) ((long) rows.height() * Math.min(side, longest) / longest));
        try {
            PngWriter writer = new PngWriter(width, height);
            Sums sums = new Sums(width);
            byte[] rgba = new byte[4 * rows.width()];
            for (int y = 0; y < rows.height(); y++) {
                signal.throwIfAborted();
                rows.next(rgba);
                sums.add(rgba, rows.width());
                boolean last = (long) (y + 1) * height / rows.height() > (long) y * height / rows.height();
                if (last) {
                    writer.add(sums.take());
                }
            }
            return Optional.of(new SmallerPng(width, height, writer.file()));
        } catch (IOException damaged) {
            return Optional.empty();
        }
    }

    /** Sums the pixels that one pixel of the result replaces, with colors weighted by opacity. */
    private static final class Sums {
        private final int width;
        private final long[] sums;
        private final long[] pixels;

        Sums(int width) {
            this.width = width;
            this.sums = new long[4 * width];
            this.pixels = new long[width];
        }

        void add(byte[] rgba, int sourceWidth) {
            for (int x = 0; x < sourceWidth; x++) {
                int to = (int) ((long) x * width / sourceWidth);
                int alpha = rgba[4 * x + 3] & 0xFF;
                for (int i = 0; i < 3; i++) {
                    sums[4 * to + i] += (long) (rgba[4 * x + i] & 0xFF) * alpha;
                }
                sums[4 * to + 3] += alpha;
                pixels[to]++;
            }
        }

        /** Returns the means, and resets the sums. */
        byte[] take() {
            byte[] row = new byte[4 * width];
            for (int x = 0; x < width; x++) {
                long alpha = sums[4 * x + 3];
                for (int i = 0; i < 3 && alpha > 0; i++) {
                    row[4 * x + i] = (byte) (sums[4 * x + i] / alpha);
                }
                row[4 * x + 3] = (byte) (alpha / pixels[x]);
            }
            Arrays.fill(sums, 0);
            Arrays.fill(pixels, 0);
            return row;
        }
    }
}
