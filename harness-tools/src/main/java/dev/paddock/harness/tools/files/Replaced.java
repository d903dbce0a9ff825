package dev.paddock.harness.tools.files;

import dev.paddock.harness.files.access.FileException;
import dev.paddock.harness.files.workspace.WorkspaceFiles;
import dev.paddock.harness.tools.ToolException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;

/**
 * The properties that a written file keeps from the file that it replaces.
 *
 * @param shown the file's path, for messages
 * @param encoding how the text is stored; UTF-8 if that is unknown
 * @param isKnown whether the encoding was named or detected
 * @param carriageReturns whether lines end with CR LF
 */
record Replaced(String shown, TextEncoding encoding, boolean isKnown, boolean carriageReturns) {
    private static final String CR_LF = "\r\n";

    /** The most bytes of a character. */
    private static final int MAX_CHARACTER = 4;

    /**
     * Examines the file to be replaced.
     *
     * @param given the encoding that the caller names
     */
    static Replaced in(WorkspaceFiles files, String path, Optional<TextEncoding> given) throws IOException {
        byte[] old = beginning(files, path);
        Optional<TextEncoding> found = given.map(named -> old.length == 0 ? named : named.withMarkOf(old))
                .or(() -> detect(old));
        TextEncoding encoding = found.orElse(TextEncoding.UTF_8);
        boolean carriageReturns = mostlyCrLf(new String(old, encoding.charset()));
        return new Replaced(files.shown(path), encoding, found.isPresent(), carriageReturns);
    }

    /** Detects the encoding; the beginning of a large file may end within a character. */
    private static Optional<TextEncoding> detect(byte[] beginning) {
        Optional<TextEncoding> found = EncodingDetector.detect(beginning);
        for (int cut = 1; found.isEmpty() && beginning.length == WriteTool.MAX_BYTES && cut < MAX_CHARACTER; cut++) {
            found = EncodingDetector.detect(Arrays.copyOf(beginning, beginning.length - cut));
        }
        return found;
    }

    /** Returns no bytes if there is no readable file; the write reports why. */
    private static byte[] beginning(WorkspaceFiles files, String path) throws IOException {
        try (SeekableByteChannel file = files.openFile(path)) {
            ByteBuffer bytes = ByteBuffer.allocate((int) Math.min(file.size(), WriteTool.MAX_BYTES));
            boolean more = true;
            while (more && bytes.hasRemaining()) {
                more = file.read(bytes) >= 0;
            }
            return Arrays.copyOf(bytes.array(), bytes.position());
        } catch (FileException noneToRead) {
            return new byte[0];
        }
    }

    private static boolean mostlyCrLf(String text) {
        int crLf = 0;
        int all = 0;
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) == '\n') {
                all++;
                crLf += i > 0 && text.charAt(i - 1) == '\r' ? 1 : 0;
            }
        }
        return crLf * 2 > all;
    }

    /**
     * Returns the bytes of a new content. Keeps its line ends if one of them is CR LF.
     *
     * @throws ToolException if it is unknown how to store one of the characters
     */
    byte[] encode(byte[] utf8) {
        if (!isKnown && !TextEncoding.isAscii(utf8)) {
            throw new ToolException(
                    shown + " is not UTF-8, and its encoding is not known, so that only text in ASCII can"
                            + " be written there. Nothing was written. Name its encoding with encoding, or UTF-8 to change to"
                            + " that");
        }
        if (encoding.equals(TextEncoding.UTF_8) && !carriageReturns) {
            return utf8;
        }
        String content = new String(utf8, StandardCharsets.UTF_8);
        String lines = carriageReturns && !content.contains(CR_LF) ? content.replace("\n", CR_LF) : content;
        return encoding.encode(lines, "content");
    }

    /** Names the kept encoding and line ends, for the model. */
    String kept() {
        String ends = carriageReturns ? " with CR LF line ends" : "";
        if (!isKnown) {
            return ", as ASCII" + ends + ": the encoding of the old content is not known";
        }
        return encoding.equals(TextEncoding.UTF_8) && !carriageReturns ? "" : ", as " + encoding + ends;
    }
}
