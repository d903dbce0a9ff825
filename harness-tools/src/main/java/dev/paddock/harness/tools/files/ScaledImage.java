package dev.paddock.harness.tools.files;

import dev.paddock.executor.AbortSignal;
import java.io.IOException;
import java.util.Arrays;

/** A smaller version of an image, in memory: each pixel is the mean of those that it replaces. */
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

    /** Takes a row from the sums after its last source row. */
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

    /** Sums up the source pixels of each pixel of the result, colors weighted by opacity. */
    private static final class Sums {
        /** Where the source pixels of each pixel of the result begin, and where the last ones end. */
        private final int[] starts;

        /**
         * The sums of the opaque rows, for each column, without weights: blue from bit 0, red from bit 16, green from
         * bit 40, 16 bits each. Enough for 257 pixels; a mean has 100 at most.
         */
        private final long[] columns;

        /** The sums of the other rows, for each pixel of the result: red, green and blue by opacity, and opacity. */
        private final int[] weighted;

        private int opaqueRows;
        private int rows;

        Sums(int sourceWidth, int width) {
            this.starts = new int[width + 1];
            this.columns = new long[sourceWidth];
            this.weighted = new int[4 * width];
            for (int x = 0; x <= width; x++) {
                // The first pixel that is scaled to x or more.
                starts[x] = (int) (((long) x * sourceWidth + width - 1) / width);
            }
        }

        void add(int[] row, int offset) {
            rows++;
            if (!isOpaque(row, offset)) {
                addMixed(row, offset);
                return;
            }
            opaqueRows++;
            for (int x = 0; x < columns.length; x++) {
                int pixel = row[offset + x];
                columns[x] += (pixel & 0xFF00FFL) + ((long) (pixel & 0xFF00) << 32);
            }
        }

        private boolean isOpaque(int[] row, int offset) {
            int all = -1;
            for (int x = 0; x < columns.length; x++) {
                all &= row[offset + x];
            }
            return all >>> 24 == 0xFF;
        }

        private void addMixed(int[] row, int offset) {
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
                int to = 4 * x;
                if (all >>> 24 == 0xFF) {
                    weighted[to] += (redAndBlue >>> 16) * 0xFF;
                    weighted[to + 1] += greens * 0xFF;
                    weighted[to + 2] += (redAndBlue & 0xFFFF) * 0xFF;
                    weighted[to + 3] += (end - start) * 0xFF;
                } else {
                    addWeighted(row, start, end, to);
                }
            }
        }

        private void addWeighted(int[] row, int start, int end, int to) {
            for (int i = start; i < end; i++) {
                int pixel = row[i];
                int alpha = pixel >>> 24;
                weighted[to] += (pixel >> 16 & 0xFF) * alpha;
                weighted[to + 1] += (pixel >> 8 & 0xFF) * alpha;
                weighted[to + 2] += (pixel & 0xFF) * alpha;
                weighted[to + 3] += alpha;
            }
        }

        /** Writes the means, clears the sums, and returns whether all the pixels are opaque. */
        boolean take(int[] argb, int offset) {
            boolean opaque = true;
            for (int x = 0; x < starts.length - 1; x++) {
                long sums = 0;
                for (int i = starts[x]; i < starts[x + 1]; i++) {
                    sums += columns[i];
                }
                int count = starts[x + 1] - starts[x];
                int from = 4 * x;
                int opacity = weighted[from + 3] + opaqueRows * count * 0xFF;
                int pixel = (opacity / (rows * count)) << 24;
                if (opacity > 0) {
                    pixel |= ((weighted[from] + (int) (sums >>> 16 & 0xFFFF) * 0xFF) / opacity) << 16;
                    pixel |= ((weighted[from + 1] + (int) (sums >>> 40) * 0xFF) / opacity) << 8;
                    pixel |= (weighted[from + 2] + (int) (sums & 0xFFFF) * 0xFF) / opacity;
                }
                argb[offset + x] = pixel;
                opaque &= pixel >>> 24 == 0xFF;
            }
            Arrays.fill(columns, 0);
            Arrays.fill(weighted, 0);
            opaqueRows = 0;
            rows = 0;
            return opaque;
        }
    }
}
