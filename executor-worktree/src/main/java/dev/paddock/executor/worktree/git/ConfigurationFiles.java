package dev.paddock.executor.worktree.git;

import dev.paddock.executor.path.PathBytes;
import dev.paddock.executor.worktree.files.SmallFile;
import dev.paddock.executor.worktree.files.Way;
import dev.paddock.executor.worktree.git.config.GitConfiguration;
import dev.paddock.executor.worktree.git.config.Setting;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Reads the user's configuration files with all files that they include. An {@code includeIf} counts regardless of its
 * condition: a command can create the branch or directory that fulfils it.
 */
final class ConfigurationFiles {
    private static final int MAX_DEPTH = 10; // git's own limit of includes within includes
    private static final List<String> SYSTEM =
            List.of("/etc/gitconfig", "/usr/local/etc/gitconfig", "/opt/homebrew/etc/gitconfig");

    private final Map<String, String> environment;
    private final Map<Path, Way> parents = new HashMap<>();
    private final Set<Path> visited = new HashSet<>();
    private final Set<Path> files = new LinkedHashSet<>();
    private final List<Setting> settings = new ArrayList<>();

    private ConfigurationFiles(Map<String, String> environment) {
        this.environment = environment;
    }

    /** Reads the files that git reads in every repository. */
    static ConfigurationFiles everywhere(Map<String, String> environment) {
        ConfigurationFiles read = new ConfigurationFiles(environment);
        Optional<String> system = read.variable("GIT_CONFIG_SYSTEM");
        system.map(List::of).orElse(SYSTEM).forEach(file -> read.read(Path.of(file), MAX_DEPTH));
        Optional<Path> global = read.variable("GIT_CONFIG_GLOBAL").flatMap(PathBytes::path);
        if (global.isPresent()) {
            read.read(global.get(), MAX_DEPTH);
        } else {
            read.variable("XDG_CONFIG_HOME")
                    .flatMap(PathBytes::path)
                    .or(() -> read.home().map(home -> home.resolve(".config")))
                    .ifPresent(directory -> read.read(directory.resolve("git/config"), MAX_DEPTH));
            read.home().ifPresent(home -> read.read(home.resolve(".gitconfig"), MAX_DEPTH));
        }
        return read;
    }

    /** Reads the additional files that git reads in one repository. */
    static ConfigurationFiles of(Repository repository, Map<String, String> environment) {
        ConfigurationFiles read = new ConfigurationFiles(environment);
        read.read(repository.commonDirectory().resolve("config"), MAX_DEPTH);
        read.read(repository.gitDirectory().resolve("config.worktree"), MAX_DEPTH);
        return read;
    }

    List<Setting> settings() {
        return List.copyOf(settings);
    }

    /** Returns the files, including missing included ones, with the links on the paths to them. */
    Set<Path> files() {
        return Set.copyOf(files);
    }

    /** Returns whether the same settings were read from the same files. */
    boolean isLike(ConfigurationFiles other) {
        return settings.equals(other.settings) && files.equals(other.files);
    }

    /**
     * Returns the path that a value names.
     *
     * @param base the base of a relative path
     * @return empty if the value is no path, or begins with {@code ~} and another user's name
     */
    Optional<Path> path(String value, Path base) {
        if (value.equals("~") || value.startsWith("~/")) {
            return home().flatMap(home ->
                    PathBytes.path(value.length() < 2 ? "" : value.substring(2)).map(home::resolve));
        }
        return value.startsWith("~") || value.startsWith("%(prefix)")
                ? Optional.empty()
                : GitPointers.resolve(base, value);
    }

    private void read(Path file, int depth) {
        Path named = file.toAbsolutePath();
        Path above = named.getParent();
        Path name = named.getFileName();
        if (above == null || name == null) {
            return; // the root of the file system
        }
        Way toParent = parents.computeIfAbsent(above, Way::to);
        Path parent = toParent.end();
        if (!visited.add(parent.resolve(name))) {
            return;
        }
        Way way = Way.to(parent.resolve(name), parent.getNameCount());
        files.addAll(toParent.links());
        files.addAll(way.parts());
        GitConfiguration configuration =
                SmallFile.read(way.end()).flatMap(GitConfiguration::parse).orElse(new GitConfiguration(List.of()));
        for (Setting setting : configuration.settings()) {
            settings.add(setting);
            boolean include = setting.pattern().equals("include.path")
                    || setting.pattern().equals("includeif.*.path");
            if (include && depth > 0) {
                path(setting.text(), parent).ifPresent(path -> read(path, depth - 1));
            }
        }
    }

    private Optional<Path> home() {
        return variable("HOME").flatMap(PathBytes::path);
    }

    private Optional<String> variable(String name) {
        return Optional.ofNullable(environment.get(name)).filter(value -> !value.isEmpty());
    }
}
