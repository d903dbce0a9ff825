package dev.paddock.executor.sandbox.worktree;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds in a git configuration the settings that make git run a program, or read configuration from
 * elsewhere.
 */
final class GitPrograms {
    private static final long LARGEST = 1 << 20;

    private static final Pattern SECTION =
            Pattern.compile("\\[\\s*([\\w.-]+)(?:\\s+\"((?:[^\"\\\\]|\\\\.)*)\")?\\s*](.*)");

    private static final Pattern SETTING = Pattern.compile("([A-Za-z][\\w-]*)\\s*(?:=\\s*(.*))?");

    /**
     * Sections and keys, with {@code *} for a subsection, whose value is a program or names further
     * configuration.
     */
    private static final Pattern DANGEROUS = Pattern.compile(
            "core\\.(fsmonitor|hookspath|sshcommand|pager|editor|askpass|gitproxy|alternaterefscommand|worktree|attributesfile)"
                    + "|include\\.path|includeif\\.\\*\\.path|alias\\..*|credential\\.(\\*\\.)?helper|pager\\..*"
                    + "|diff\\.external|diff\\.\\*\\.(command|textconv)|filter\\.\\*\\.(clean|smudge|process)"
                    + "|merge\\.\\*\\.driver|(merge|diff)tool\\.\\*\\.(cmd|path)|gpg\\.(\\*\\.)?program"
                    + "|gpg\\.ssh\\.defaultkeycommand|sequence\\.editor|interactive\\.difffilter|man\\.\\*\\.(cmd|path)"
                    + "|browser\\.\\*\\.(cmd|path)|web\\.browser|sendemail\\..*cmd|remote\\.\\*\\.(uploadpack|receivepack|vcs)"
                    + "|uploadpack\\.packobjectshook|url\\.\\*\\.(pushinsteadof|insteadof)|submodule\\.\\*\\.update"
                    + "|trailer\\.\\*\\.(command|cmd)|guitool\\.\\*\\.cmd|init\\.templatedir|protocol\\..*allow"
                    + "|tar\\.\\*\\.command|extensions\\.worktreeconfig");

    private GitPrograms() {}

    /**
     * Returns the names of the dangerous settings in a configuration file.
     *
     * @param config the file; a link, or one that is too large or unreadable, is reported as such
     */
    static List<String> in(Path config) {
        try {
            if (!Files.isRegularFile(config, LinkOption.NOFOLLOW_LINKS)) {
                return List.of("it is not a regular file");
            }
            if (Files.size(config) > LARGEST) {
                return List.of("it is larger than 1 MiB");
            }
            return scan(Files.readString(config, StandardCharsets.ISO_8859_1));
        } catch (IOException fault) {
            return List.of("it cannot be read");
        }
    }

    private static List<String> scan(String text) {
        List<String> found = new ArrayList<>();
        String section = "";
        for (String line : text.replace("\\\n", "").lines().toList()) {
            String rest = line.strip();
            Matcher header = SECTION.matcher(rest);
            if (header.matches()) {
                section = header.group(1).toLowerCase(Locale.ROOT) + (header.group(2) == null ? "" : ".*");
                rest = header.group(3).strip();
            }
            Matcher setting = SETTING.matcher(rest);
            if (setting.matches()) {
                String name = section + "." + setting.group(1).toLowerCase(Locale.ROOT);
                if (DANGEROUS.matcher(name).matches()) {
                    found.add(name);
                }
            }
        }
        return found;
    }
}
