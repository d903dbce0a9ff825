package dev.paddock.harness.files;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import java.util.zip.CRC32;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.InflaterInputStream;

/** PNG images in each form that the format has, written from its specification. */
final class TestPng {
    static final int DARK = 0;
    static final int LIGHT = 255;
    private static final int[] CHANNELS = {1, 0, 3, 1, 2, 0, 4};

    private TestPng() {}

    /** Returns an image whose left half is dark and whose right half is light. */
    static byte[] halves(int width, int height, int color, int depth, int filter) throws IOException {
        int channels = CHANNELS[color];
        byte[] row = new byte[(width * depth * channels + 7) / 8];
        for (int x = 0; x < width; x++) {
            for (int channel = 0; channel < channels; channel++) {
                boolean isAlpha = (color == 4 || color == 6) && channel == channels - 1;
                int light = color == 3 ? 1 : (1 << Math.min(depth, 8)) - 1;
                put(row, x * channels + channel, depth, isAlpha ? 255 : x < width / 2 ? 0 : light);
            }
        }
        ByteArrayOutputStream data = new ByteArrayOutputStream();
        try (DeflaterOutputStream rows = new DeflaterOutputStream(data)) {
            byte[] above = new byte[row.length];
            for (int y = 0; y < height; y++) {
                rows.write(filter);
                rows.write(filtered(row, above, Math.max(1, depth * channels / 8), filter));
                above = row;
            }
        }
        ByteArrayOutputStream file = begin(width, height, color, depth);
        if (color == 3) {
            chunk(file, "PLTE", new byte[] {0, 0, 0, -1, -1, -1});
        }
        byte[] all = data.toByteArray();
        chunk(file, "IDAT", Arrays.copyOf(all, all.length / 2));
        chunk(file, "IDAT", Arrays.copyOfRange(all, all.length / 2, all.length));
        chunk(file, "IEND", new byte[0]);
        return file.toByteArray();
    }

    /** The samples of an image, of which the low 8 bits count. */
    interface Samples {
        int at(int x, int y, int channel);
    }

    /** Returns an image of 8-bit samples, whose rows have a filter. */
    static byte[] of(int width, int height, int color, int filter, Samples samples) throws IOException {
        int channels = CHANNELS[color];
        ByteArrayOutputStream data = new ByteArrayOutputStream();
        try (DeflaterOutputStream rows = new DeflaterOutputStream(data)) {
            byte[] above = new byte[channels * width];
            for (int y = 0; y < height; y++) {
                byte[] row = new byte[channels * width];
                for (int i = 0; i < row.length; i++) {
                    row[i] = (byte) samples.at(i / channels, y, i % channels);
                }
                rows.write(filter);
                rows.write(filtered(row, above, channels, filter));
                above = row;
            }
        }
        ByteArrayOutputStream file = begin(width, height, color, 8);
        chunk(file, "IDAT", data.toByteArray());
        chunk(file, "IEND", new byte[0]);
        return file.toByteArray();
    }

    private static ByteArrayOutputStream begin(int width, int height, int color, int depth) throws IOException {
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        file.write(new byte[] {(byte) 0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'});
        chunk(file, "IHDR", header(width, height, depth, color));
        return file;
    }

    /** Returns an image of 8-bit colors whose bytes are random, or that change slowly and are Paeth-filtered. */
    static byte[] picture(int width, int height, boolean noise) throws IOException {
        Random random = new Random(1);
        ByteArrayOutputStream data = new ByteArrayOutputStream();
        try (DeflaterOutputStream rows = new DeflaterOutputStream(data)) {
            byte[] row = new byte[3 * width];
            byte[] above = new byte[row.length];
            for (int y = 0; y < height; y++) {
                if (noise) {
                    random.nextBytes(row);
                } else {
                    for (int i = 0; i < row.length; i++) {
                        int wave = (int) (40 * Math.sin(i / 900.0) * Math.cos(y / 200.0));
                        row[i] = (byte) (128 + wave + 20 * (i % 3) + random.nextInt(4));
                    }
                }
                rows.write(noise ? 0 : 4);
                rows.write(noise ? row : filtered(row, above, 3, 4));
                System.arraycopy(row, 0, above, 0, row.length);
            }
        }
        ByteArrayOutputStream file = begin(width, height, 2, 8);
        chunk(file, "IDAT", data.toByteArray());
        chunk(file, "IEND", new byte[0]);
        return file.toByteArray();
    }

    /** Returns a dark image of a size and a kind, with so many bytes more in its data than the image has. */
    static byte[] dark(int width, int height, int color, int depth, long more) throws IOException {
        ByteArrayOutputStream data = new ByteArrayOutputStream();
        byte[] zeros = new byte[1 << 20];
        long bytes = height * (1 + ((long) width * depth * CHANNELS[color] + 7) / 8) + more;
        try (DeflaterOutputStream rows = new DeflaterOutputStream(data)) {
            for (long left = bytes; left > 0; left -= zeros.length) {
                rows.write(zeros, 0, (int) Math.min(left, zeros.length));
            }
        }
        ByteArrayOutputStream file = begin(width, height, color, depth);
        chunk(file, "IDAT", data.toByteArray());
        chunk(file, "IEND", new byte[0]);
        return file.toByteArray();
    }

    /** Returns an image with so many chunks of data before the first that is not empty. */
    static byte[] withEmptyChunks(byte[] file, int count) throws IOException {
        ByteArrayOutputStream changed = new ByteArrayOutputStream();
        changed.write(file, 0, 33);
        ByteArrayOutputStream empty = new ByteArrayOutputStream();
        chunk(empty, "IDAT", new byte[0]);
        for (int i = 0; i < count; i++) {
            empty.writeTo(changed);
        }
        changed.write(file, 33, file.length - 33);
        return changed.toByteArray();
    }

    private static byte[] header(int width, int height, int depth, int color) throws IOException {
        ByteArrayOutputStream header = new ByteArrayOutputStream();
        DataOutputStream fields = new DataOutputStream(header);
        fields.writeInt(width);
        fields.writeInt(height);
        fields.write(new byte[] {(byte) depth, (byte) color, 0, 0, 0});
        return header.toByteArray();
    }

    static byte[] withSecondHeader(byte[] file, int width) throws IOException {
        ByteArrayOutputStream changed = new ByteArrayOutputStream();
        changed.write(file, 0, 33);
        chunk(changed, "IHDR", header(width, 20, 8, 2));
        changed.write(file, 33, file.length - 33);
        return changed.toByteArray();
    }

    private static void put(byte[] row, int index, int depth, int value) {
        if (depth == 16) {
            row[2 * index] = (byte) value;
            row[2 * index + 1] = (byte) value;
        } else {
            int bit = index * depth;
            row[bit / 8] |= (byte) (value << (8 - depth - bit % 8));
        }
    }

    private static byte[] filtered(byte[] row, byte[] above, int distance, int filter) {
        byte[] filtered = new byte[row.length];
        for (int i = 0; i < row.length; i++) {
            int left = i < distance ? 0 : row[i - distance] & 0xFF;
            int up = above[i] & 0xFF;
            int corner = i < distance ? 0 : above[i - distance] & 0xFF;
            int guess = switch (filter) {
                case 1 -> left;
                case 2 -> up;
                case 3 -> (left + up) / 2;
                case 4 -> paeth(left, up, corner);
                default -> 0;
            };
            filtered[i] = (byte) (row[i] - guess);
        }
        return filtered;
    }

    private static int paeth(int a, int b, int c) {
        int p = a + b - c;
        if (Math.abs(p - a) <= Math.abs(p - b) && Math.abs(p - a) <= Math.abs(p - c)) {
            return a;
        }
        return Math.abs(p - b) <= Math.abs(p - c) ? b : c;
    }

    private static void chunk(ByteArrayOutputStream file, String name, byte[] content) throws IOException {
        DataOutputStream out = new DataOutputStream(file);
        byte[] type = name.getBytes(StandardCharsets.ISO_8859_1);
        CRC32 sum = new CRC32();
        sum.update(type);
        sum.update(content);
        out.writeInt(content.length);
        out.write(type);
        out.write(content);
        out.writeInt((int) sum.getValue());
    }

    /** Decodes an image that the product has written: 8-bit colors, each byte less its left neighbor. */
    static int[][] gray(byte[] file) throws IOException {
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(file));
        in.skipBytes(8);
        int[][] pixels = {};
        int channels = 3;
        while (true) {
            byte[] content = new byte[in.readInt()];
            String name = new String(in.readNBytes(4), StandardCharsets.ISO_8859_1);
            in.readFully(content);
            in.readInt();
            if (name.equals("IHDR")) {
                DataInputStream header = new DataInputStream(new ByteArrayInputStream(content));
                int width = header.readInt();
                pixels = new int[header.readInt()][width];
                channels = CHANNELS[content[9]];
            } else if (name.equals("IDAT")) {
                fill(pixels, channels, new InflaterInputStream(new ByteArrayInputStream(content)));
            } else if (name.equals("IEND")) {
                return pixels;
            }
        }
    }

    private static void fill(int[][] pixels, int channels, InputStream rows) throws IOException {
        for (int[] line : pixels) {
            byte[] row = rows.readNBytes(1 + channels * line.length);
            for (int i = 1 + channels; i < row.length; i++) {
                row[i] += row[i - channels];
            }
            for (int x = 0; x < line.length; x++) {
                line[x] = row[1 + channels * x] & 0xFF;
            }
        }
    }
}
