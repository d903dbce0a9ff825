package dev.paddock.executor.config.grant;

import dev.paddock.executor.log.LateLogger;
import dev.paddock.executor.os.file.RegularFile;
import dev.paddock.executor.worktree.git.config.GitConfiguration;
import dev.paddock.executor.worktree.git.config.Setting;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;

/**
 * The files that configure the user's git in every repository, read as git reads them for a worktree.
 *
 * @param worktree determines which conditional includes apply
 */
record GitFiles(UserContext user, Path worktree) {
    private static final System.Logger LOG = LateLogger.of(GitFiles.class);
    private static final int MAX_DEPTH = 10;
    private static final int MAX_BYTES = 1 << 20;

    /** Calls back for each setting, in git's order, with the file that has it. */
    void forEach(BiConsumer<Path, Setting> setting) {
        if (user.path("GIT_CONFIG_GLOBAL").isPresent()) {
            user.path("GIT_CONFIG_GLOBAL").ifPresent(only -> collect(only, setting, 0));
        } else {
            collect(directory().resolve("config"), setting, 0);
            collect(user.home().resolve(".gitconfig"), setting, 0);
        }
    }

    /** Returns the directory of git's files that need no setting, such as {@code ignore}. */
    Path directory() {
        return user.path("XDG_CONFIG_HOME")
                .orElseGet(() -> user.home().resolve(".config"))
                .resolve("git");
    }

    private void collect(Path file, BiConsumer<Path, Setting> found, int depth) {
        Optional<GitConfiguration> parsed =
                depth < MAX_DEPTH ? read(file).flatMap(GitConfiguration::parse) : Optional.empty();
        for (Setting setting : parsed.map(GitConfiguration::settings).orElse(List.of())) {
            found.accept(file, setting);
            if (setting.key().equals("path") && isIncluded(setting)) {
                resolve(file, setting.text()).ifPresent(included -> collect(included, found, depth + 1));
            }
        }
    }

    /** Returns a file's bytes as ISO 8859-1; empty if git would not read it. */
    static Optional<String> read(Path file) {
        try (FileChannel in = RegularFile.open(file.toRealPath())) {
            byte[] bytes = Channels.newInputStream(in).readNBytes(MAX_BYTES + 1);
            return bytes.length > MAX_BYTES
                    ? Optional.empty()
                    : Optional.of(new String(bytes, StandardCharsets.ISO_8859_1));
        } catch (IOException unreadable) {
            LOG.log(Level.DEBUG, "a file of git's configuration is not read", unreadable);
            return Optional.empty();
        }
    }

    /** Returns whether a file is included; of the conditions, only {@code gitdir:DIRECTORY/} is supported. */
    private boolean isIncluded(Setting setting) {
        if (setting.section().equals("include")) {
            return setting.subsection().isEmpty();
        }
        String condition = setting.subsection().orElse("");
        if (!setting.section().equals("includeif") || !condition.startsWith("gitdir:") || !condition.endsWith("/")) {
            return false;
        }
        String directory = text(condition.substring("gitdir:".length()));
        return (directory.startsWith("~/") || directory.startsWith("/"))
                && directory.chars().noneMatch(letter -> "*?[".indexOf(letter) >= 0)
                && expand(directory).filter(this::contains).isPresent();
    }

    private boolean contains(Path directory) {
        return real(worktree).startsWith(real(directory));
    }

    /** Returns whether commands may write to a file. */
    boolean isInWorktree(Path file) {
        return real(file).startsWith(real(worktree)) || file.startsWith(worktree);
    }

    private Optional<Path> resolve(Path file, String value) {
        return expand(text(value)).map(file::resolveSibling);
    }

    /** Returns the path that a setting names, with {@code ~/} as the user's home. */
    Optional<Path> expand(String path) {
        try {
            return Optional.of(path.startsWith("~/") ? user.home().resolve(path.substring(2)) : Path.of(path));
        } catch (InvalidPathException noPath) {
            return Optional.empty();
        }
    }

    private static Path real(Path path) {
        try {
            return path.toRealPath();
        } catch (IOException absent) {
            return path;
        }
    }

    /** Returns the text of a setting's bytes. */
    static String text(String bytes) {
        return new String(bytes.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8).replace("\0", "");
    }
}
