package dev.paddock.harness.tools.hint;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** Recognizes a program that needs a part of the host's {@code /etc} that the sandbox does not show. */
final class SystemConfigurationHints {
    private static final Path ETC = Path.of("/etc");

    private static final Pattern UNREADABLE = Pattern.compile("(?i)no such file|permission denied|not found|not exist"
            + "|(?:cannot|can't|could not|couldn't|failed to|unable to) (?:open|read|load|find|stat|access)"
            + "|\\b(?:ENOENT|EACCES)\\b|NoSuchFileException|FileNotFoundException|AccessDeniedException");

    /** Words of messages about writing, for which a read-only mount would not help. */
    private static final Pattern WRITES =
            Pattern.compile("(?i)creat|writ|touch|mkdir|remov|delet|unlink|renam|chmod|chown");

    private static final Pattern PATH = Pattern.compile("(?<![\\w./-])/etc/[\\w.+@/-]*[\\w+@-]");

    private SystemConfigurationHints() {}

    /** Returns the hint for the end of a failed command's output; empty if nothing is recognized. */
    static Optional<String> after(SandboxFacts facts, String output) {
        return output.lines()
                .filter(line ->
                        UNREADABLE.matcher(line).find() && !WRITES.matcher(line).find())
                .flatMap(line -> PATH.matcher(line).results().map(MatchResult::group))
                .filter(path -> isForEveryone(path) && !facts.shows(Path.of(path)))
                .findFirst()
                .map(path ->
                        "'" + path + "' is not among the parts of /etc that commands see; the user can show it with"
                                + " --mount " + path + ":" + path);
    }

    /**
     * Returns whether every user of the host may read a file or directory. Commands choose the path: the answer must
     * not reveal what only the user sees, and the user must not be led to show a key.
     */
    private static boolean isForEveryone(String text) {
        try {
            Path path = Path.of(text);
            if (!path.equals(path.normalize()) || !isOpen(path, PosixFilePermission.OTHERS_READ)) {
                return false;
            }
            for (Path above = path.getParent(); above != null && !above.equals(ETC); above = above.getParent()) {
                if (!isOpen(above, PosixFilePermission.OTHERS_EXECUTE)) {
                    return false;
                }
            }
            return true;
        } catch (IOException | InvalidPathException | UnsupportedOperationException unknown) {
            return false;
        }
    }

    private static boolean isOpen(Path path, PosixFilePermission permission) throws IOException {
        return (Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)
                        || Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS))
                && Files.getPosixFilePermissions(path, LinkOption.NOFOLLOW_LINKS)
                        .contains(permission);
    }
}
