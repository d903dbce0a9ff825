package dev.paddock.executor.worktree.git.config;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One setting of a git configuration file. All strings are bytes as ISO 8859-1.
 *
 * @param name section, subsection and key, separated by dots, as in {@code git config --list}: section and key in lower
 *     case
 * @param value empty for a key without {@code =}, which git takes for true
 */
public record Setting(String name, Optional<String> value) {
    // Written out: the JDK would generate it in each JVM, at the first comparison.
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Setting that && name.equals(that.name) && value.equals(that.value);
    }

    @Override
    public int hashCode() {
        return 31 * name.hashCode() + value.hashCode();
    }

    /** Returns the section, in lower case; empty for a key that precedes all sections. */
    public String section() {
        int dot = name.indexOf('.');
        return dot < 0 ? "" : name.substring(0, dot);
    }

    public Optional<String> subsection() {
        int first = name.indexOf('.');
        int last = name.lastIndexOf('.');
        return first == last ? Optional.empty() : Optional.of(name.substring(first + 1, last));
    }

    public String key() {
        return name.substring(name.lastIndexOf('.') + 1);
    }

    /** Returns section and key, with {@code *} for any subsection: {@code remote.*.url}. */
    public String pattern() {
        return section() + (subsection().isPresent() ? ".*." : ".") + key();
    }

    /** Returns the value; empty text for a key without one. */
    public String text() {
        return value.orElse("");
    }
}
