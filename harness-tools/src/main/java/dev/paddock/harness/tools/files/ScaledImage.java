package dev.paddock.harness.tools.files;

import dev.paddock.executor.AbortSignal;
import java.io.IOException;

/** An image made smaller, in memory: each pixel is the mean of those that it replaces. */
final class ScaledImage {
    private final int width;
    private final int height;
    private final int[] argb;
    private boolean opaque = true;

    private ScaledImage(int width, int height) {
        this.width = width;
        this.height = height;
        this.argb = new int[width * height];
    }

    /**
     * Scales an image down.
     *
     * @param side the longest side of the result, in pixels
     * @throws IOException if the image is damaged
     */
    static ScaledImage of(PngRows rows, int side, AbortSignal signal) throws IOException {
        int longest = Math.max(rows.width(), rows.height());
        int shown = Math.min(side, longest);
        ScaledImage image =
                new ScaledImage(Math.max(1, (int) ((long) rows.width() * shown / longest)), Math.max(1, (int)
                        ((long) rows.height() * shown / longest)));
        Sums sums = new Sums(rows.width(), image.width);
        int[] row = new int[rows.width()];
        for (int y = 0; y < rows.height(); y++) {
            signal.throwIfAborted();
            rows.next(row);
            sums.add(row, 0);
            image.take(sums, y, rows.height());
        }
        return image;
    }

    /** Returns this image with half the sides. */
    ScaledImage half() {
        ScaledImage image = new ScaledImage(Math.max(1, width / 2), Math.max(1, height / 2));
        Sums sums = new Sums(width, image.width);
        for (int y = 0; y < height; y++) {
            sums.add(argb, y * width);
            image.take(sums, y, height);
        }
        return image;
    }

    /** Takes a row from the sums, if a row of the source is the last one of it. */
    private void take(Sums sums, int sourceRow, int sourceHeight) {
        int row = (int) ((long) sourceRow * height / sourceHeight);
        if ((long) (sourceRow + 1) * height / sourceHeight > row) {
            opaque &= sums.take(argb, row * width);
        }
    }

    int width() {
        return width;
    }

    int height() {
        return height;
    }

    boolean isOpaque() {
        return opaque;
    }

    int pixel(int x, int y) {
        return argb[y * width + x];
    }

    /** Sums up the pixels of which one of the result is the mean, colors by their opacity. */
    private static final class Sums {
        /** Where the pixels begin that each one of the result replaces; and the end of the last. */
        private final int[] starts;

        /** Red, green, blue, opacity and number of pixels. */
        private final int[] sums;

        Sums(int sourceWidth, int width) {
            this.starts = new int[width + 1];
            this.sums = new int[5 * width];
            for (int x = 0; x <= width; x++) {
                // The first pixel that, scaled, is x or more.
                starts[x] = (int) (((long) x * sourceWidth + width - 1) / width);
            }
        }

        void add(int[] row, int offset) {
            for (int x = 0; x < starts.length - 1; x++) {
                int start = offset + starts[x];
                int end = offset + starts[x + 1];
                int redAndBlue = 0;
                int greens = 0;
                int all = -1;
                for (int i = start; i < end; i++) {
                    int pixel = row[i];
                    redAndBlue += pixel & 0xFF00FF;
                    greens += pixel >> 8 & 0xFF;
                    all &= pixel;
                }
                int to = 5 * x;
                sums[to + 4] += end - start;
                if (all >>> 24 == 0xFF) {
                    sums[to] += (redAndBlue >>> 16) * 0xFF;
                    sums[to + 1] += greens * 0xFF;
                    sums[to + 2] += (redAndBlue & 0xFFFF) * 0xFF;
                    sums[to + 3] += (end - start) * 0xFF;
                } else {
                    addWeighted(row, start, end, to);
                }
            }
        }

        private void addWeighted(int[] row, int start, int end, int to) {
            for (int i = start; i < end; i++) {
                int pixel = row[i];
                int alpha = pixel >>> 24;
                sums[to] += (pixel >> 16 & 0xFF) * alpha;
                sums[to + 1] += (pixel >> 8 & 0xFF) * alpha;
                sums[to + 2] += (pixel & 0xFF) * alpha;
                sums[to + 3] += alpha;
            }
        }

        /** Writes the means, clears the sums, and returns whether all the pixels are opaque. */
        boolean take(int[] argb, int offset) {
            boolean opaque = true;
            for (int x = 0; x < starts.length - 1; x++) {
                int from = 5 * x;
                int opacity = sums[from + 3];
                int pixel = (opacity / sums[from + 4]) << 24;
                for (int i = 0; i < 3 && opacity > 0; i++) {
                    pixel |= (sums[from + i] / opacity) << (16 - 8 * i);
                }
                argb[offset + x] = pixel;
                opaque &= pixel >>> 24 == 0xFF;
                for (int i = 0; i < 5; i++) {
                    sums[from + i] = 0;
                }
            }
            return opaque;
        }
    }
}
