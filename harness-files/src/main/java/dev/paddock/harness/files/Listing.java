package dev.paddock.harness.files;

import java.nio.charset.StandardCharsets;

/**
 * Collects entries for the model, up to a number of entries and to the permitted bytes of a
 * listing.
 */
public final class Listing {
    static final int MOST_BYTES = 51_200;

    private final int mostEntries;
    private final StringBuilder text = new StringBuilder();
    private final StringBuilder notices = new StringBuilder();
    private int bytes;
    private int entries;
    private boolean full;

    public Listing(int mostEntries) {
        this.mostEntries = mostEntries;
    }

    /** Adds an entry of one or more lines. Returns false if it, or one before it, does not fit. */
    public boolean add(String entry) {
        int length = entry.getBytes(StandardCharsets.UTF_8).length + 1;
        full |= entries == mostEntries || bytes + length > MOST_BYTES;
        if (!full) {
            text.append(entry).append('\n');
            bytes += length;
            entries++;
        }
        return !full;
    }

    /** Returns whether an entry did not fit. */
    public boolean isFull() {
        return full;
    }

    public int entries() {
        return entries;
    }

    public void notice(String words) {
        notices.append("\n[").append(words).append(']');
    }

    /** Returns the lines, or the given text if there are none, followed by the notices. */
    public String text(String ifEmpty) {
        return (text.isEmpty() ? ifEmpty : text.substring(0, text.length() - 1)) + notices;
    }
}
