package dev.paddock.executor.worktree.files;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.text.Normalizer;
import java.util.Locale;

/**
 * Reduces names so that names which some file system treats as equal have the same skeleton: some ignore case, some
 * also the form of a character, and some invisible characters. Other names may have the same skeleton, too.
 */
public final class NameSkeleton {
    private static final int FIRST_NOT_ASCII = 128;

    private NameSkeleton() {}

    /** Returns the skeleton of a name: ASCII characters in lower case. */
    public static String of(String name) {
        return isAscii(name) ? name.toLowerCase(Locale.ROOT) : ofUnicode(name);
    }

    /**
     * Returns the skeleton of a name.
     *
     * @param name its bytes as ISO 8859-1
     */
    public static String ofBytes(String name) {
        return of(isAscii(name) ? name : new String(name.getBytes(ISO_8859_1), UTF_8));
    }

    public static boolean isAscii(String name) {
        for (int at = 0; at < name.length(); at++) {
            if (name.charAt(at) >= FIRST_NOT_ASCII) {
                return false;
            }
        }
        return true;
    }

    private static String ofUnicode(String name) {
        // By the upper case, since two letters may have the same as one of another form.
        String upper = Normalizer.normalize(name, Normalizer.Form.NFKD).toUpperCase(Locale.ROOT);
        StringBuilder ascii = new StringBuilder();
        Normalizer.normalize(upper, Normalizer.Form.NFKD)
                .chars()
                .filter(character -> character < FIRST_NOT_ASCII)
                .forEach(character -> ascii.append((char) character));
        return ascii.toString().toLowerCase(Locale.ROOT);
    }
}
