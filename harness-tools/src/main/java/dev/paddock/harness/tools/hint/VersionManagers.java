package dev.paddock.harness.tools.hint;

import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Recognizes that mise, asdf or direnv lacks the user's own settings: they are in the home directory and may contain
 * credentials, so that commands do not see them.
 */
final class VersionManagers {
    private static final Pattern NO_VERSION =
            Pattern.compile("No version is set for (?<what>shim:|command) (?<tool>[A-Za-z0-9_.+-]{1,64})");
    private static final Pattern BLOCKED = Pattern.compile("direnv: error \\S+ is blocked");

    private VersionManagers() {}

    static Optional<String> hint(String output) {
        Matcher missing = NO_VERSION.matcher(output);
        if (missing.find()) {
            boolean isMise = missing.group("what").equals("shim:");
            String tool = missing.group("tool");
            String variable = (isMise ? "MISE" : "ASDF") + "_"
                    + (tool.equals("node") && !isMise ? "nodejs" : tool)
                            .toUpperCase(Locale.ROOT)
                            .replaceAll("\\W", "_")
                    + "_VERSION";
            return Optional.of("commands do not see the settings of " + (isMise ? "mise" : "asdf")
                    + " in your home directory, which choose the global versions. Choose one in the worktree's"
                    + " .tool-versions, or with --env " + variable + "=VERSION, where the name is that of the plugin");
        }
        return BLOCKED.matcher(output).find()
                ? Optional.of("commands do not see which files direnv may read: begin with 'direnv exec . paddock', and"
                        + " pass the variables that commands need with --pass-env NAME")
                : Optional.empty();
    }
}
