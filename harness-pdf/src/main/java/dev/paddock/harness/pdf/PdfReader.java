package dev.paddock.harness.pdf;

import dev.paddock.executor.AbortSignal;
import dev.paddock.harness.tools.DocumentReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemNotFoundException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.StringJoiner;
import java.util.stream.Stream;
import org.apache.commons.logging.LogFactory;
import org.apache.fontbox.FontBoxFont;
import org.apache.pdfbox.Loader;
import org.apache.pdfbox.io.RandomAccessRead;

/**
 * Shows the text of PDF files, with Apache PDFBox. Each call starts a JVM of its own for the document, with 256 MiB of
 * heap, and ends it after 30 seconds: a document that takes more is refused. Documents are at most 64 MiB, the text of
 * one call at most 1 MiB.
 *
 * <p>PDFBox's jars have to be files, which those inside another jar are not.
 *
 * @since 0.1
 */
public final class PdfReader implements DocumentReader {
    private static final Duration MAX_TIME = Duration.ofSeconds(30);

    /** The classes whose jars the other JVM needs. */
    private static final List<Class<?>> NEEDED =
            List.of(PdfPages.class, Loader.class, RandomAccessRead.class, FontBoxFont.class, LogFactory.class);

    private final Duration time;

    private PdfReader(Duration time) {
        this.time = time;
    }

    /**
     * Returns a reader.
     *
     * @return the reader
     */
    public static PdfReader create() {
        return new PdfReader(MAX_TIME);
    }

    /** Returns a reader that ends the other JVM after this time. */
    static PdfReader within(Duration time) {
        return new PdfReader(time);
    }

    @Override
    public boolean reads(byte[] start) {
        return new String(start, StandardCharsets.ISO_8859_1).startsWith("%PDF-");
    }

    @Override
    public String read(InputStream content, int firstPage, int lastPage, AbortSignal signal) throws IOException {
        if (firstPage < 1 || lastPage < firstPage) {
            throw new IllegalArgumentException("no range of pages: " + firstPage + " to " + lastPage);
        }
        signal.throwIfAborted();
        Path directory = Files.createTempDirectory("paddock-pdf-");
        try {
            ProcessBuilder jvm = new ProcessBuilder(command(directory, firstPage, lastPage));
            jvm.directory(directory.toFile());
            jvm.environment().clear();
            jvm.redirectError(ProcessBuilder.Redirect.DISCARD);
            return new PdfProcess(jvm.start(), time).exchange(content, signal);
        } finally {
            delete(directory);
        }
    }

    /**
     * Returns the command of the other JVM, which writes into one directory alone: PDFBox keeps a list of the machine's
     * fonts, in the home unless it is told where, and a JVM that crashes leaves a report where it works.
     */
    private List<String> command(Path directory, int firstPage, int lastPage) throws IOException {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-XX:+ExitOnOutOfMemoryError",
                "-XX:-UsePerfData",
                "-Djava.awt.headless=true",
                "-Djava.io.tmpdir=" + directory,
                "-Duser.home=" + directory,
                "-Dpdfbox.fontcache=" + directory,
                "-Dorg.apache.commons.logging.Log=org.apache.commons.logging.impl.NoOpLog",
                "-cp",
                classPath(),
                PdfPages.class.getName(),
                Integer.toString(firstPage),
                Integer.toString(lastPage),
                // The parent ends it before, if it still lives.
                Long.toString(2 * time.toMillis()));
    }

    /** Deletes the directory of a JVM that has ended. */
    private static void delete(Path directory) {
        try (Stream<Path> files = Files.walk(directory)) {
            files.sorted(Comparator.reverseOrder()).forEach(file -> {
                var unused = file.toFile().delete();
            });
        } catch (IOException | UncheckedIOException kept) {
            // The document was read, or the reason why not is more useful; the system clears its temporary files.
        }
    }

    private static String classPath() throws IOException {
        StringJoiner all = new StringJoiner(File.pathSeparator);
        for (Class<?> needed : NEEDED) {
            all.add(jar(needed));
        }
        return all.toString();
    }

    private static String jar(Class<?> needed) throws IOException {
        URL place = needed.getProtectionDomain().getCodeSource().getLocation();
        try {
            return Path.of(place.toURI()).toString();
        } catch (URISyntaxException | IllegalArgumentException | FileSystemNotFoundException inAnotherJar) {
            throw new IOException(
                    "PDF files cannot be shown: this needs PDFBox's jars as files, and there is " + place);
        }
    }
}
