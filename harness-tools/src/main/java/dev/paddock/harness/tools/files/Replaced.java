package dev.paddock.harness.tools.files;

import dev.paddock.harness.files.access.FileException;
import dev.paddock.harness.files.workspace.WorkspaceFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;

/**
 * The properties that a written file keeps from the file that it replaces.
 *
 * @param encoding how the text is stored
 * @param carriageReturns whether lines end with CR LF
 */
record Replaced(TextEncoding encoding, boolean carriageReturns) {
    private static final String CR_LF = "\r\n";

    /**
     * Examines the file that is to be replaced.
     *
     * @param given the encoding that the caller names
     */
    static Replaced in(WorkspaceFiles files, String path, Optional<TextEncoding> given) throws IOException {
        byte[] old = beginning(files, path);
        TextEncoding encoding = given.map(named -> old.length == 0 ? named : named.withMarkOf(old))
                .or(() -> EncodingDetector.detect(old))
                .orElse(TextEncoding.UTF_8);
        String text = encoding.isUtf8()
                ? new String(old, StandardCharsets.UTF_8)
                : encoding.decode(old).orElse("");
        return new Replaced(encoding, mostlyCrLf(text));
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

    /** Returns the bytes of a new content. Its line ends stay as they are if one of them is CR LF. */
    byte[] encode(byte[] utf8) {
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
        return encoding.equals(TextEncoding.UTF_8) && !carriageReturns ? "" : ", as " + encoding + ends;
    }
}
