package dev.paddock.executor.remote.sync;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/**
 * Writes an archive in GNU's format, which GNU's and busybox's {@code tar} read: names of any bytes and length, files
 * of any size.
 */
final class TarWriter {
    static final int BLOCK = 512;

    private static final int NAME = 100;
    private static final long OCTAL_LIMIT = 1L << 33;
    private static final byte[] ZEROS = new byte[BLOCK];

    private final OutputStream out;
    private final byte[] buffer = new byte[64 << 10];

    TarWriter(OutputStream out) {
        this.out = out;
    }

    void directory(String path, TreeEntry entry, int mode) throws IOException {
        longName('L', "./" + path + "/");
        header("./" + path + "/", '5', mode, 0, entry.modified(), "");
    }

    void link(String path, TreeEntry entry, String target) throws IOException {
        longName('L', "./" + path);
        longName('K', target);
        header("./" + path, '2', 0777, 0, entry.modified(), target);
    }

    /** Writes a file of exactly the entry's size: pads it with zeros, or truncates it. */
    void file(String path, TreeEntry entry, InputStream content) throws IOException {
        longName('L', "./" + path);
        header("./" + path, '0', entry.mode(), entry.size(), entry.modified(), "");
        long left = entry.size();
        while (left > 0) {
            int read = content.read(buffer, 0, (int) Math.min(buffer.length, left));
            if (read < 0) {
                break;
            }
            out.write(buffer, 0, read);
            left -= read;
        }
        for (; left > 0; left -= Math.min(left, BLOCK)) {
            out.write(ZEROS, 0, (int) Math.min(left, BLOCK));
        }
        pad(entry.size());
    }

    void end() throws IOException {
        out.write(ZEROS);
        out.write(ZEROS);
        out.flush();
    }

    private void longName(char type, String name) throws IOException {
        byte[] bytes = bytes(name);
        if (bytes.length > NAME) {
            header("././@LongLink", type, 0, bytes.length + 1, 0, "");
            out.write(bytes);
            out.write(0);
            pad(bytes.length + 1);
        }
    }

    private void pad(long size) throws IOException {
        int over = (int) (size % BLOCK);
        if (over > 0) {
            out.write(ZEROS, 0, BLOCK - over);
        }
    }

    private void header(String name, char type, int mode, long size, long modified, String target) throws IOException {
        byte[] header = new byte[BLOCK];
        put(header, 0, NAME, name);
        octal(header, 100, 8, mode);
        octal(header, 108, 8, 0);
        octal(header, 116, 8, 0);
        number(header, 124, size);
        octal(header, 136, 12, Math.max(0, TimeUnit.NANOSECONDS.toSeconds(modified)));
        header[156] = (byte) type;
        put(header, 157, NAME, target);
        put(header, 257, 8, "ustar  ");
        Arrays.fill(header, 148, 156, (byte) ' ');
        int sum = 0;
        for (byte each : header) {
            sum += each & 0xff;
        }
        octal(header, 148, 7, sum);
        out.write(header);
    }

    private static void put(byte[] header, int at, int length, String text) {
        byte[] bytes = bytes(text);
        System.arraycopy(bytes, 0, header, at, Math.min(length, bytes.length));
    }

    private static void number(byte[] header, int at, long size) {
        if (size < OCTAL_LIMIT) {
            octal(header, at, 12, size);
            return;
        }
        header[at] = (byte) 0x80;
        for (int index = 0; index < Long.BYTES; index++) {
            header[at + 11 - index] = (byte) (size >>> (8 * index));
        }
    }

    private static void octal(byte[] header, int at, int length, long value) {
        String digits = Long.toOctalString(value);
        put(header, at, length - 1, "0".repeat(Math.max(0, length - 1 - digits.length())) + digits);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }
}
