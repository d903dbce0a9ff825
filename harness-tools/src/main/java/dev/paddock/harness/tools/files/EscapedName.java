package dev.paddock.harness.tools.files;

import dev.paddock.harness.files.access.FileException;
import dev.paddock.harness.files.workspace.WorkspaceFiles;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Shows bytes of file names that are not UTF-8 as {@code \xe9}, and accepts this form in arguments.
 * In the paths of {@link WorkspaceFiles} such a byte is a lone surrogate, which no client can send.
 */
final class EscapedName {
    private static final Pattern ESCAPE = Pattern.compile("\\\\x([89a-fA-F][0-9a-fA-F])");
    private static final int FIRST = 0xDC80;
    private static final int LAST = 0xDCFF;

    /** The file tools' longest path, in characters. */
    private static final int MAX_PATH = 4_096;

    private EscapedName() {}

    /** Returns a text with those bytes of names escaped that are no characters. */
    static String shown(String text) {
        if (text.codePoints().noneMatch(EscapedName::isByte)) {
            return text;
        }
        StringBuilder escaped = new StringBuilder();
        text.codePoints().forEach(point -> {
            if (isByte(point)) {
                escaped.append(String.format(Locale.ROOT, "\\x%02x", point & 0xFF));
            } else {
                escaped.appendCodePoint(point);
            }
        });
        return escaped.toString();
    }

    private static boolean isByte(int point) {
        return point >= FIRST && point <= LAST;
    }

    /**
     * Returns the path that a caller means. A file whose name contains the escape itself comes first; of a new file,
     * only the existing directory is unescaped.
     */
    static String path(WorkspaceFiles files, String given) {
        if (given.length() > MAX_PATH || !ESCAPE.matcher(given).find()) {
            return given;
        }
        int end = given.length();
        while (end > 0) {
            String parent = given.substring(0, end);
            if (!ESCAPE.matcher(parent).find() || exists(files, parent)) {
                return given;
            }
            String bytes = ESCAPE.matcher(parent)
                    .replaceAll(
                            escape -> String.valueOf((char) (FIRST - 0x80 + Integer.parseInt(escape.group(1), 16))));
            if (exists(files, bytes)) {
                return bytes + given.substring(end);
            }
            end = parent.lastIndexOf('/');
        }
        return given;
    }

    private static boolean exists(WorkspaceFiles files, String path) {
        try {
            var unused = files.stat(path);
            return true;
        } catch (FileException none) {
            return false;
        }
    }
}
