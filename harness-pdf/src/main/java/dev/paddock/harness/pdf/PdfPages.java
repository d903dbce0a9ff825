package dev.paddock.harness.pdf;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.apache.pdfbox.Loader;
import org.apache.pdfbox.io.RandomAccessReadBuffer;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.pdmodel.encryption.InvalidPasswordException;
import org.apache.pdfbox.text.PDFTextStripper;

/**
 * The program of the other JVM: reads a PDF file from standard input and writes the text of some pages to standard
 * output, or the reason why it cannot, with the exit code {@link #REFUSED}.
 */
final class PdfPages {
    static final int MAX_BYTES = 64 << 20;
    static final int MAX_TEXT = 1 << 20;
    static final int REFUSED = 2;

    /** The exit code of a document that takes too long; the parent, should it be there, has ended this JVM before. */
    private static final int LATE = 4;

    private PdfPages() {}

    /** Takes the first page, the last page, and the milliseconds after which this JVM ends. */
    public static void main(String[] args) throws IOException {
        haltAfter(Long.parseLong(args[2]));
        byte[] document = System.in.readNBytes(MAX_BYTES + 1);
        PrintStream out = new PrintStream(System.out, false, StandardCharsets.UTF_8);
        boolean shown = write(document, Integer.parseInt(args[0]), Integer.parseInt(args[1]), out);
        out.flush();
        System.exit(shown ? 0 : REFUSED);
    }

    private static void haltAfter(long milliseconds) {
        Thread timer = new Thread(() -> {
            try {
                Thread.sleep(milliseconds);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            Runtime.getRuntime().halt(LATE);
        });
        timer.setDaemon(true);
        timer.start();
    }

    /** Writes the pages and returns true, or writes the reason why not and returns false. */
    private static boolean write(byte[] document, int first, int last, PrintStream out) {
        if (document.length > MAX_BYTES) {
            out.print("it is larger than " + (MAX_BYTES >> 20) + " MiB");
            return false;
        }
        try (PDDocument pdf = Loader.loadPDF(new RandomAccessReadBuffer(document))) {
            if (first > pdf.getNumberOfPages()) {
                out.print("page " + first + " is past the end: it has " + pdf.getNumberOfPages());
                return false;
            }
            out.print(text(pdf, first, last));
            return true;
        } catch (InvalidPasswordException e) {
            out.print("it is protected by a password");
            return false;
        } catch (IOException | RuntimeException | StackOverflowError e) {
            out.print("it is damaged: " + e);
            return false;
        }
    }

    private static String text(PDDocument pdf, int first, int last) throws IOException {
        PDFTextStripper stripper = new PDFTextStripper();
        stripper.setSortByPosition(true);
        StringBuilder text = new StringBuilder();
        for (int page = first; page <= Math.min(last, pdf.getNumberOfPages()); page++) {
            stripper.setStartPage(page);
            stripper.setEndPage(page);
            String content = stripper.getText(pdf).strip();
            text.append("[Page " + page + " of " + pdf.getNumberOfPages() + "]\n")
                    .append(content.isEmpty() ? "[no text: an image, perhaps]" : content)
                    .append('\n');
            if (text.length() > MAX_TEXT) {
                text.setLength(MAX_TEXT);
                return text + "\n[The text ends here, on page " + page + ": more than " + MAX_TEXT + " characters]\n";
            }
        }
        return text.toString();
    }
}
