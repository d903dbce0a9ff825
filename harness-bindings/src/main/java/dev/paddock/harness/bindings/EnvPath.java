package dev.paddock.harness.bindings;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Compares paths of dotenv files without file-system access. */
final class EnvPath {
    private static final String NAME = ".env";

    private EnvPath() {}

    /** Returns a path relative to the root: no leading slash, no {@code .}, slashes for backslashes. */
    static String normal(String path) {
        List<String> names = new ArrayList<>();
        for (String name : path.replace('\\', '/').split("/", -1)) {
            if (!name.isEmpty() && !name.equals(".")) {
                names.add(name);
            }
        }
        return String.join("/", names);
    }

    /** Returns a glob that matches only this path relative to the root, whatever its characters. */
    static String glob(String path) {
        return "/" + normal(path).replaceAll("[\\\\*?\\[\\]{},]", "\\\\$0");
    }

    /** Returns whether a name in the path looks like a dotenv file. */
    static boolean looksLike(String path) {
        for (String name : normal(path).split("/", -1)) {
            if (isEnv(name)) {
                return true;
            }
        }
        return false;
    }

    static boolean isEnv(String name) {
        String folded = name.toLowerCase(Locale.ROOT);
        return folded.equals(NAME) || folded.startsWith(NAME + ".");
    }
}
