package dev.paddock.harness.files;

import java.nio.charset.StandardCharsets;

/** Entries for the model, up to a number of them and to the bytes that a listing may have. */
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

    /** Adds an entry of one line or several. False if it, or one before it, does not fit. */
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

    /** Whether something did not fit. */
    public boolean isFull() {
        return full;
    }

    public int entries() {
        return entries;
    }

    public void notice(String words) {
        notices.append("\n[").append(words).append(']');
    }

    /** The lines, or the words that stand for none, and the notices after them. */
    public String text(String ifEmpty) {
        return (text.isEmpty() ? ifEmpty : text.substring(0, text.length() - 1)) + notices;
    }
}
