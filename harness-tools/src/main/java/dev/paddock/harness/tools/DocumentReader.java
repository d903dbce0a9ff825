package dev.paddock.harness.tools;

import dev.paddock.executor.AbortSignal;
import java.io.IOException;
import java.io.InputStream;

/**
 * Shows documents that are not text, such as PDF files, as text by page. The tool {@code read} uses the one that a
 * session is given. A document may be hostile: an implementation bounds the time and memory that it takes.
 * Thread-safe.
 *
 * @since 0.1
 */
public interface DocumentReader {
    /**
     * Returns whether this reader shows documents that begin with these bytes.
     *
     * @param start the first bytes of a file, 8,000 at most
     * @return whether it does
     */
    boolean reads(byte[] start);

    /**
     * Returns the text of some pages, with the number of each page and the total.
     *
     * @param content the whole document; the caller closes it
     * @param firstPage the first page, from 1
     * @param lastPage the last page, not before the first; the document's last page if it is beyond
     * @param signal ends the reading
     * @return the text
     * @throws dev.paddock.executor.AbortedException if the signal was aborted
     * @throws IOException if the document cannot be shown; the message gives the reason to the model, without the
     *     document's name
     */
    String read(InputStream content, int firstPage, int lastPage, AbortSignal signal) throws IOException;
}
