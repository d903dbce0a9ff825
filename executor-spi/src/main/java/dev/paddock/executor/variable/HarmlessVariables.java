package dev.paddock.executor.variable;

import dev.paddock.executor.policy.CodeInjectionVariables;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Recognizes variables that may come from a source that is not trusted, such as a file in the
 * worktree: those that choose a language, a time zone, colors, a build's profile or how much is
 * logged. No other name is one of them: a list of harmful names is never complete, since a program
 * that reads its proxy, its registry or its plug-ins from a variable gives the variable's author the
 * user's credentials.
 *
 * @since 0.1
 */
public final class HarmlessVariables {
    private static final Set<String> NAMES = Set.of(
            "LANG",
            "TZ",
            "CI",
            "TERM",
            "COLUMNS",
            "LINES",
            "NODE_ENV",
            "RAILS_ENV",
            "RACK_ENV",
            "FLASK_ENV",
            "APP_ENV",
            "MIX_ENV",
            "SPRING_PROFILES_ACTIVE",
            "DEBUG",
            "LOG_LEVEL",
            "RUST_LOG",
            "RUST_BACKTRACE",
            "PYTHONUNBUFFERED",
            "PYTHONDONTWRITEBYTECODE",
            "SOURCE_DATE_EPOCH");

    private static final Pattern FORMS = Pattern.compile("LC_[A-Z]+|[A-Z_]*COLOR[A-Z_]*");

    private HarmlessVariables() {}

    /**
     * Returns whether a variable of this name may have any value.
     *
     * @param name a variable's name; its case matters
     * @return true if the name is on the list
     */
    public static boolean matches(String name) {
        return (NAMES.contains(name) || FORMS.matcher(name).matches()) && !CodeInjectionVariables.matches(name);
    }
}
