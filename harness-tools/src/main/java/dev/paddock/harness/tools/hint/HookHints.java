package dev.paddock.harness.tools.hint;

import dev.paddock.executor.Guarantee;
import dev.paddock.harness.files.content.HostFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Recognizes an installation of packages that set up no git hooks: husky exits with 0, and npm
 * hides its message.
 */
final class HookHints {
    /** The last lines of npm, Yarn and pnpm. */
    private static final Pattern INSTALLED =
            Pattern.compile("(?m)^(?:(?:added|changed|removed|up to date|audited)\\b[^\\n]*|Done in \\d[^\\n]*)$");

    private static final Pattern PREPARED =
            Pattern.compile("\"(?:prepare|postinstall|install)\"\\s*:\\s*\"[^\"\\n]{0,256}\\bhusky\\b");

    private static final Pattern HOOKS = Pattern.compile("(?i)\\bhookspath\\s*=");

    private static final int MAX_BYTES = 1 << 20;

    private HookHints() {}

    /**
     * Returns the hint for a command that exited with 0.
     *
     * @param output the end of its output
     */
    static Optional<String> after(SandboxFacts facts, String output) {
        Path worktree = facts.policy().worktree().hostPath();
        boolean isKept = facts.guarantees().contains(Guarantee.PROTECTED_PATHS)
                && INSTALLED.matcher(output).find();
        try {
            return isKept
                            && PREPARED.matcher(text(worktree.resolve("package.json")))
                                    .find()
                            && !HOOKS.matcher(text(worktree.resolve(".git/config")))
                                    .find()
                    ? Optional.of("husky has set up no hooks: commands change neither .git/config nor .husky, whose"
                            + " programs git runs outside of the sandbox. The user can set them up there: npx husky")
                    : Optional.empty();
        } catch (IOException unreadable) {
            return Optional.empty(); // no package of Node's, or no repository
        }
    }

    private static String text(Path file) throws IOException {
        return new String(HostFile.read(file, MAX_BYTES), StandardCharsets.UTF_8);
    }
}
