package dev.paddock.cli.command;

import dev.paddock.cli.terminal.InvocationContext;
import dev.paddock.executor.config.SandboxConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Finds the configuration files of a command line: the caller's own, and the worktree's, which applies after it and can
 * only narrow its grants.
 */
public final class ConfigFiles {
    public static final String NAME = "paddock.yaml";

    public static final Option CONFIG = Option.of(
            "--config",
            "FILE",
            "reads this file in place of your own, which is",
            "paddock/paddock.yaml in your configuration; one that",
            "lies in the worktree in place of the worktree's");

    private ConfigFiles() {}

    /**
     * Reads the existing files. Loads no YAML parser if there is none.
     *
     * @param worktree the worktree's real path
     * @throws dev.paddock.executor.config.SandboxConfigException if a file is not a valid configuration, or a named one
     *     does not exist
     */
    public static SandboxConfig read(Arguments arguments, InvocationContext caller, Path worktree) {
        Optional<Path> given = given(arguments, caller);
        boolean isInside = given.isPresent() && isWithin(given.get(), worktree);
        Optional<Path> own =
                given.isPresent() && !isInside ? given : userFile(caller).filter(ConfigFiles::exists);
        Optional<Path> project =
                isInside ? given : Optional.of(worktree.resolve(NAME)).filter(ConfigFiles::exists);
        SandboxConfig config = SandboxConfig.defaults();
        if (own.isPresent()) {
            config = SandboxConfig.read(own.get());
        }
        return project.isPresent() ? SandboxConfig.read(project.get()).over(config) : config;
    }

    /**
     * Reads only the caller's own file, or the one that the command line names: for commands that have no worktree of
     * the caller's.
     *
     * @throws dev.paddock.executor.config.SandboxConfigException if it is not a valid configuration, or a named one
     *     does not exist
     */
    static SandboxConfig readOwn(Arguments arguments, InvocationContext caller) {
        return given(arguments, caller)
                .or(() -> userFile(caller).filter(ConfigFiles::exists))
                .map(SandboxConfig::read)
                .orElseGet(SandboxConfig::defaults);
    }

    /** Returns the file that the command line names. */
    public static Optional<Path> given(Arguments arguments, InvocationContext caller) {
        Optional<String> text = arguments.value(CONFIG);
        if (text.isEmpty()) {
            return Optional.empty();
        }
        if (text.get().isBlank()) {
            throw new UsageException(CONFIG.name() + " lacks its value: " + CONFIG.usage());
        }
        try {
            return Optional.of(caller.directory().resolve(text.get()).normalize());
        } catch (InvalidPathException noPath) {
            throw new UsageException(CONFIG.name() + ": not a path: '" + noPath.getInput() + "'");
        }
    }

    /**
     * Returns the path of the caller's own file, whether or not it exists; empty for a caller
     * without a home directory.
     */
    public static Optional<Path> userFile(InvocationContext caller) {
        return userDirectory(caller).map(directory -> directory.resolve(NAME));
    }

    static Optional<Path> userDirectory(InvocationContext caller) {
        Optional<String> configuration = caller.variable("XDG_CONFIG_HOME").filter(path -> path.startsWith("/"));
        Optional<String> home = caller.variable("HOME").filter(path -> path.startsWith("/"));
        return configuration
                .map(Path::of)
                .or(() -> home.map(path -> Path.of(path, ".config")))
                .map(directory -> directory.resolve("paddock").normalize());
    }

    /**
     * Returns the directory of the caller's own file: the real path of its existing part, followed
     * by the missing part.
     */
    static Optional<Path> realUserDirectory(InvocationContext caller) {
        return userDirectory(caller).map(ConfigFiles::real);
    }

    private static boolean isWithin(Path file, Path worktree) {
        @Nullable Path parent = file.getParent();
        return real(file).startsWith(worktree)
                || (parent != null && real(parent).startsWith(worktree));
    }

    private static Path real(Path path) {
        for (@Nullable Path existing = path; existing != null; existing = existing.getParent()) {
            try {
                return existing.toRealPath().resolve(existing.relativize(path)).normalize();
            } catch (IOException absent) {
                // The parent directory may exist.
            }
        }
        return path;
    }

    /** Returns whether there is a file, or something that cannot be examined in an existing directory. */
    private static boolean exists(Path file) {
        if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            return true;
        }
        @Nullable Path directory = file.getParent();
        return !Files.notExists(file, LinkOption.NOFOLLOW_LINKS) && directory != null && Files.isDirectory(directory);
    }
}
