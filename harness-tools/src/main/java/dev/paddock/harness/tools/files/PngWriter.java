package dev.paddock.harness.tools.files;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.zip.CRC32;
import java.util.zip.Deflater;

/** Encodes a PNG image, without an alpha channel if all of it is opaque. */
final class PngWriter {
    private static final int LEFT = 1;
    private static final byte OPAQUE = 2;
    private static final byte WITH_ALPHA = 6;
    private static final byte[] SIGNATURE = {(byte) 0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};

    /** The bytes of a file in addition to its data. */
    private static final int FRAME = SIGNATURE.length + 3 * 12 + 13;

    private PngWriter() {}

    /** Returns the file; empty if it would have more bytes, which stops the encoding early. */
    static Optional<byte[]> file(ScaledImage image, int most) {
        return data(image, most - FRAME).map(data -> {
            byte[] header = ByteBuffer.allocate(13)
                    .putInt(image.width())
                    .putInt(image.height())
                    .put(new byte[] {8, image.isOpaque() ? OPAQUE : WITH_ALPHA, 0, 0, 0})
                    .array();
            ByteBuffer file = ByteBuffer.allocate(FRAME + data.length).put(SIGNATURE);
            chunk(file, "IHDR", header);
            chunk(file, "IDAT", data);
            chunk(file, "IEND", new byte[0]);
            return file.array();
        });
    }

    private static Optional<byte[]> data(ScaledImage image, int most) {
        Deflater deflater = new Deflater(Deflater.BEST_SPEED);
        try {
            deflater.setStrategy(isDrawing(image) ? Deflater.DEFAULT_STRATEGY : Deflater.HUFFMAN_ONLY);
            ByteArrayOutputStream data = new ByteArrayOutputStream(1 << 16);
            byte[] packed = new byte[1 << 16];
            byte[] row = new byte[1 + (image.isOpaque() ? 3 : 4) * image.width()];
            for (int y = 0; y < image.height() && data.size() <= most; y++) {
                filter(image, y, row);
                deflater.setInput(row);
                while (!deflater.needsInput()) { // it may take nothing when the strategy is new
                    data.write(packed, 0, deflater.deflate(packed));
                }
            }
            deflater.finish();
            while (!deflater.finished()) {
                data.write(packed, 0, deflater.deflate(packed));
            }
            return data.size() > most ? Optional.empty() : Optional.of(data.toByteArray());
        } finally {
            deflater.end();
        }
    }

    /** More than half the pixels equal their left neighbors; searching a photograph for repetitions takes time. */
    private static boolean isDrawing(ScaledImage image) {
        int same = 0;
        for (int y = 0; y < image.height(); y++) {
            for (int x = 1; x < image.width(); x++) {
                same += image.pixel(x, y) == image.pixel(x - 1, y) ? 1 : 0;
            }
        }
        return 2L * same > (long) image.width() * image.height();
    }

    private static void filter(ScaledImage image, int y, byte[] row) {
        row[0] = LEFT;
        int left = 0;
        int at = 1;
        for (int x = 0; x < image.width(); x++) {
            int pixel = image.pixel(x, y);
            row[at++] = (byte) ((pixel >> 16) - (left >> 16));
            row[at++] = (byte) ((pixel >> 8) - (left >> 8));
            row[at++] = (byte) (pixel - left);
            if (!image.isOpaque()) {
                row[at++] = (byte) ((pixel >> 24) - (left >> 24));
            }
            left = pixel;
        }
    }

    private static void chunk(ByteBuffer file, String name, byte[] content) {
        byte[] type = name.getBytes(StandardCharsets.ISO_8859_1);
        CRC32 sum = new CRC32();
        sum.update(type);
        sum.update(content);
        file.putInt(content.length).put(type).put(content).putInt((int) sum.getValue());
    }
}
