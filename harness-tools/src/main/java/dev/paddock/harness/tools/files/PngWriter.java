package dev.paddock.harness.tools.files;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32;
import java.util.zip.DeflaterOutputStream;

/** Encodes a PNG image row by row. */
final class PngWriter {
    private static final int LEFT = 1;
    private static final int WITH_ALPHA = 6;
    private static final byte[] SIGNATURE = {(byte) 0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};

    private final int width;
    private final int height;
    private final ByteArrayOutputStream data = new ByteArrayOutputStream();
    private final DeflaterOutputStream rows = new DeflaterOutputStream(data);

    PngWriter(int width, int height) {
        this.width = width;
        this.height = height;
    }

    /** Appends a row of four bytes for each pixel. */
    void add(byte[] rgba) throws IOException {
        byte[] filtered = new byte[4 * width];
        for (int i = 0; i < filtered.length; i++) {
            filtered[i] = (byte) (rgba[i] - (i < 4 ? 0 : rgba[i - 4]));
        }
        rows.write(LEFT);
        rows.write(filtered);
    }

    byte[] file() throws IOException {
        rows.close();
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(file);
        out.write(SIGNATURE);
        ByteArrayOutputStream header = new ByteArrayOutputStream();
        DataOutputStream fields = new DataOutputStream(header);
        fields.writeInt(width);
        fields.writeInt(height);
        fields.write(new byte[] {8, WITH_ALPHA, 0, 0, 0});
        chunk(out, "IHDR", header.toByteArray());
        chunk(out, "IDAT", data.toByteArray());
        chunk(out, "IEND", new byte[0]);
        return file.toByteArray();
    }

    private static void chunk(DataOutputStream out, String name, byte[] content) throws IOException {
        byte[] type = name.getBytes(StandardCharsets.ISO_8859_1);
        CRC32 sum = new CRC32();
        sum.update(type);
        sum.update(content);
        out.writeInt(content.length);
        out.write(type);
        out.write(content);
        out.writeInt((int) sum.getValue());
    }
}
