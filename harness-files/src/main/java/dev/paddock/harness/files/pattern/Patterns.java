package dev.paddock.harness.files.pattern;

import dev.paddock.executor.pattern.Glob;
import dev.paddock.harness.files.access.PatternException;

/** Compiles the patterns of callers, and reports malformed ones to them. */
public final class Patterns {
    private Patterns() {}

    /**
     * Compiles a glob.
     *
     * @param pattern the glob
     * @return the compiled glob
     * @throws PatternException if it is malformed
     */
    public static Glob glob(String pattern) {
        try {
            return Glob.compile(pattern);
        } catch (IllegalArgumentException malformed) {
            throw new PatternException(String.valueOf(malformed.getMessage()), malformed);
        }
    }
}
