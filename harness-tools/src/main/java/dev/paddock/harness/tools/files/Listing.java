package dev.paddock.harness.tools.files;

import java.nio.charset.StandardCharsets;

/** Collects entries for the model, up to a number of entries and to the permitted bytes of a listing. */
final class Listing {
    static final int MAX_BYTES = 51_200;

    private final int mostEntries;
    private final StringBuilder text = new StringBuilder();
    private final StringBuilder notices = new StringBuilder();
    private int bytes;
    private int entries;
    private boolean full;

    Listing(int mostEntries) {
        this.mostEntries = mostEntries;
    }

    /**
     * Adds an entry of one or more lines, with non-UTF-8 bytes escaped. Returns false if it, or one before it, does not
     * fit.
     */
    boolean add(String entry) {
        String printable = EscapedName.shown(entry);
        int length = printable.getBytes(StandardCharsets.UTF_8).length + 1;
        full |= entries == mostEntries || bytes + length > MAX_BYTES;
        if (!full) {
            text.append(printable).append('\n');
            bytes += length;
            entries++;
        }
        return !full;
    }

    /** Returns whether an entry did not fit. */
    boolean isFull() {
        return full;
    }

    int entries() {
        return entries;
    }

    void notice(String words) {
        notices.append("\n[").append(words).append(']');
    }

    /** Returns the lines, or the given text if there are none, followed by the notices. */
    String text(String ifEmpty) {
        return (text.isEmpty() ? ifEmpty : text.substring(0, text.length() - 1)) + notices;
    }
}
