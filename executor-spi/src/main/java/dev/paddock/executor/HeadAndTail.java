package dev.paddock.executor;

import dev.paddock.executor.run.Capture;
import java.io.ByteArrayOutputStream;
import java.nio.charset.Charset;
import java.util.Arrays;

/** Keeps the first and the last bytes of a stream in bounded memory, and counts all. */
final class HeadAndTail {
    private final Capture capture;
    private final ByteArrayOutputStream head = new ByteArrayOutputStream();
    private byte[] ring = new byte[0];
    private long total;

    HeadAndTail(Capture capture) {
        this.capture = capture;
    }

    synchronized void append(byte[] block, int length) {
        int toHead = Math.min(length, capture.head() - head.size());
        head.write(block, 0, toHead);
        for (int at = Math.max(toHead, length - capture.tail()); at < length; ) {
            if (ring.length == 0) {
                ring = new byte[capture.tail()];
            }
            int to = (int) ((total + at - capture.head()) % ring.length);
            int part = Math.min(length - at, ring.length - to);
            System.arraycopy(block, at, ring, to, part);
            at += part;
        }
        total += length;
    }

    synchronized Kept kept() {
        long rest = total - head.size();
        int last = (int) Math.min(rest, capture.tail());
        byte[] tail = new byte[last];
        for (int i = 0; i < last; i++) {
            tail[i] = ring[(int) ((rest - last + i) % ring.length)];
        }
        return new Kept(head.toByteArray(), tail, total);
    }

    /** The kept parts of a stream. */
    static final class Kept {
        private final byte[] head;
        private final byte[] tail;
        private final long total;

        private Kept(byte[] head, byte[] tail, long total) {
            this.head = head;
            this.tail = tail;
            this.total = total;
        }

        long total() {
            return total;
        }

        byte[] bytes() {
            byte[] all = Arrays.copyOf(head, head.length + tail.length);
            System.arraycopy(tail, 0, all, head.length, tail.length);
            return all;
        }

        String text(Charset charset) {
            long omitted = total - head.length - tail.length;
            return omitted == 0
                    ? new String(bytes(), charset)
                    : new String(head, charset) + "\n[" + omitted + " bytes left out]\n" + new String(tail, charset);
        }
    }
}
