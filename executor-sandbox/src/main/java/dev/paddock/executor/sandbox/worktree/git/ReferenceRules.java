package dev.paddock.executor.sandbox.worktree.git;

import dev.paddock.executor.path.PathBytes;
import dev.paddock.executor.sandbox.worktree.files.SmallFile;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Pattern;

/** Judges references: their names reach shells and scripts, and some replace other objects. */
final class ReferenceRules {
    /** Everything that a shell expands or splits at, and a component that reads as an option. */
    private static final Pattern SHELL = Pattern.compile("(?s).*[\\x00-\\x20\\x7f$`;&|<>()'\"!{}\\\\*?~#].*|.*/-.*");

    private static final Pattern SYMBOLIC = Pattern.compile("ref: (refs/(?!.*\\.\\.)[^\\n]+)\\n?");
    private static final Pattern DETACHED = Pattern.compile("([0-9a-f]{40}|[0-9a-f]{64})\\n?");
    private static final int LARGEST_LIST = 64 << 20;

    private ReferenceRules() {}

    /** Returns whether git writes such a content of {@code HEAD}. */
    static boolean isHead(String content) {
        return SYMBOLIC.matcher(content).matches() || DETACHED.matcher(content).matches();
    }

    /** Returns a remark for the user on the branch that {@code HEAD} names. */
    static Optional<String> remarkOnHead(String content) {
        var symbolic = SYMBOLIC.matcher(content);
        return symbolic.matches() ? remark(symbolic.group(1)) : Optional.empty();
    }

    /**
     * Returns a remark for the user on a reference.
     *
     * @param name as {@code refs/heads/main}, bytes as ISO 8859-1
     */
    static Optional<String> remark(String name) {
        if (name.startsWith("refs/replace/")) {
            return Optional.of(
                    "git shows another object in place of the one that '" + PathBytes.escaped(name) + "' names");
        }
        return SHELL.matcher(name).matches()
                ? Optional.of("the name of the reference '" + PathBytes.escaped(name)
                        + "' has characters that a shell interprets")
                : Optional.empty();
    }

    /** Returns the first remark for the user on the references in {@code packed-refs}. */
    static Optional<String> remarkOnList(Path packed) {
        Optional<String> content = SmallFile.read(packed, LARGEST_LIST);
        if (content.isEmpty()) {
            return Optional.of("it cannot be read");
        }
        return content.get()
                .lines()
                .filter(line -> !line.startsWith("#") && !line.startsWith("^"))
                .map(line -> line.substring(line.indexOf(' ') + 1))
                .flatMap(name -> remark(name).stream())
                .findFirst();
    }
}
