package dev.paddock.harness.files.content;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;

/** Detects the kind of a file that is not text, by its first bytes. */
public final class FileKind {
    /** The number of bytes that git inspects. */
    private static final int INSPECTED_BYTES = 8_000;

    private static final Map<String, String> MAGIC = Map.ofEntries(
            Map.entry("\u0089PNG\r\n\u001a\n", "a PNG image"),
            Map.entry("\u00ff\u00d8\u00ff", "a JPEG image"),
            Map.entry("GIF87a", "a GIF image"),
            Map.entry("GIF89a", "a GIF image"),
            Map.entry("II*\0", "a TIFF image"),
            Map.entry("MM\0*", "a TIFF image"),
            Map.entry("\0\0\u0001\0", "an icon image"),
            Map.entry("%PDF-", "a PDF document"),
            Map.entry("PK\u0003\u0004", "a zip archive (or jar, docx, xlsx, …)"),
            Map.entry("\u001f\u008b", "gzip data"),
            Map.entry("BZh", "bzip2 data"),
            Map.entry("\u00fd7zXZ\0", "xz data"),
            Map.entry("(\u00b5/\u00fd", "zstd data"),
            Map.entry("\u007fELF", "an ELF binary"),
            Map.entry("\u00ca\u00fe\u00ba\u00be", "a Java class file"),
            Map.entry("SQLite format 3\0", "an SQLite database"),
            Map.entry("\u00ff\u00fe", "UTF-16 text"),
            Map.entry("\u00fe\u00ff", "UTF-16 text"));

    /** The images that models accept. */
    private static final Map<String, String> IMAGE_TYPES = Map.of(
            "a PNG image", "image/png",
            "a JPEG image", "image/jpeg",
            "a GIF image", "image/gif",
            "a WebP image", "image/webp");

    private FileKind() {}

    /** Returns the media type of an image that models accept; empty for any other file. */
    public static Optional<String> imageType(byte[] start) {
        return notText(start).flatMap(kind -> Optional.ofNullable(IMAGE_TYPES.get(kind)));
    }

    /** Returns the file's kind; empty if it is text. */
    public static Optional<String> notText(byte[] start) {
        String latin = new String(start, 0, Math.min(start.length, INSPECTED_BYTES), StandardCharsets.ISO_8859_1);
        if (latin.startsWith("RIFF") && latin.startsWith("WEBP", 8)) {
            return Optional.of("a WebP image");
        }
        Optional<String> known = MAGIC.entrySet().stream()
                .filter(kind -> latin.startsWith(kind.getKey()) && !isPlain(latin, kind.getKey()))
                .map(Map.Entry::getValue)
                .findFirst();
        return known.or(() -> latin.indexOf('\0') >= 0 ? Optional.of("a binary file") : Optional.empty());
    }

    /**
     * Returns whether a file that starts with a magic number is plain text nevertheless: text may start with
     * {@code BZh}, so the bytes after a printable magic number decide.
     */
    private static boolean isPlain(String latin, String mark) {
        return mark.chars().allMatch(c -> c >= ' ' && c < 0x7f)
                && latin.chars().allMatch(c -> c == '\t' || c == '\n' || c == '\r' || (c >= ' ' && c < 0x7f));
    }
}
