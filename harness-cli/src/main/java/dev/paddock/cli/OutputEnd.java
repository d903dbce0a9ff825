package dev.paddock.cli;

import dev.paddock.harness.tools.hint.CommandHints;
import java.nio.charset.StandardCharsets;

/** Keeps the end of a command's output, where programs print why they failed. Thread-safe. */
final class OutputEnd {
    private static final int KEPT = CommandHints.EXAMINED;

    private byte[] end = {};

    /** Receives a part of the output. */
    synchronized void see(byte[] block, int length) {
        int kept = Math.min(end.length, Math.max(0, KEPT - length));
        int added = Math.min(length, KEPT);
        byte[] next = new byte[kept + added];
        System.arraycopy(end, end.length - kept, next, 0, kept);
        System.arraycopy(block, length - added, next, kept, added);
        end = next;
    }

    /** Returns the kept output; each byte is a character. */
    synchronized String text() {
        return new String(end, StandardCharsets.ISO_8859_1);
    }
}
