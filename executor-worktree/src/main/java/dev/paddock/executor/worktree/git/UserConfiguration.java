package dev.paddock.executor.worktree.git;

import dev.paddock.executor.worktree.files.SmallFile;
import dev.paddock.executor.worktree.git.config.Setting;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The user's own configuration of git at one moment: the files in the worktree that it makes git run or read, such as
 * the hooks of {@code core.hooksPath = .husky}. Parses the files itself and follows includes: git would evaluate the
 * conditions of {@code includeIf} for this moment alone, and would omit files that do not exist yet.
 */
public final class UserConfiguration {
    /** Settings whose value is one path, relative to the worktree. */
    private static final Set<String> PATHS = Set.of("core.hookspath", "core.attributesfile", "init.templatedir");

    /** Settings whose value is a command line. */
    private static final Pattern COMMANDS =
            Pattern.compile("core\\.(fsmonitor|sshcommand|pager|editor|askpass|gitproxy|alternaterefscommand)"
                    + "|alias\\.(\\*\\.)?[^.]+|pager\\.[^.]+|credential\\.(\\*\\.)?helper|sequence\\.editor"
                    + "|diff\\.external|diff\\.\\*\\.(command|textconv)|filter\\.\\*\\.(clean|smudge|process)"
                    + "|merge\\.\\*\\.driver|(merge|diff)tool\\.\\*\\.(cmd|path)|gui(tool)?\\.\\*\\.cmd"
                    + "|gpg\\.(\\*\\.)?program|gpg\\.ssh\\.defaultkeycommand|gpg\\.\\*\\.defaultkeycommand"
                    + "|interactive\\.difffilter|(man|browser)\\.\\*\\.(cmd|path)|sendemail\\..*(cmd|smtpserver)"
                    + "|hook\\.\\*\\.command|gc\\.recentobjectshook|imap\\.tunnel|instaweb\\.httpd"
                    + "|lfs\\.\\*\\.(path|clean|smudge)"
                    + "|remote\\.\\*\\.(uploadpack|receivepack)|uploadpack\\.packobjectshook"
                    + "|trailer\\.\\*\\.(command|cmd)|tar\\.\\*\\.command|submodule\\.\\*\\.update");

    /**
     * Settings whose value may name a file that ordinary work changes and that makes git run nothing. All others may be
     * commands of a later version of git, or of another program.
     */
    private static final Pattern DATA = Pattern.compile("(branch|remote|submodule|url|user)\\..*"
            + "|blame\\.ignorerevsfile|commit\\.template|core\\.excludesfile|diff\\.orderfile|format\\.signaturefile"
            + "|((fetch|receive)\\.\\*|fsck)\\.skiplist|mailmap\\.file");

    private static final Set<String> TRUE = Set.of("true", "yes", "on", "1");

    private static final Pattern DRIVER = Pattern.compile(
            "(filter)\\.\\*\\.(clean|smudge|process)|(diff)\\.\\*\\.(command|textconv)|(merge)\\.\\*\\.driver");

    /** The characters between the words of a command, also in {@code --option=path}. */
    private static final Pattern SEPARATOR = Pattern.compile("[\\s'\"`$(){};&|<>=!]+");

    /** Git ignores larger files of attributes. */
    private static final int MAX_ATTRIBUTES_BYTES = 100 << 20;

    private static final Pattern ATTRIBUTE = Pattern.compile("(?<=\\s)(?:filter|diff|merge)=[^\\s]+");

    private final Territory territory;
    private final ConfigurationFiles everywhere;
    private final Map<Repository, ConfigurationFiles> own;

    /** Whether a value may be a path, so that the targets depend on more than the configuration. */
    private boolean namesPaths;

    private final NavigableSet<Path> targets = new TreeSet<>();
    private final Set<String> drivers;
    private final Set<String> relative;

    /** The relative paths in the configuration of a repository, by its common directory. */
    private final Map<Path, Set<String>> relativeInWorktrees = new HashMap<>();

    private UserConfiguration(
            Territory territory, ConfigurationFiles everywhere, Map<Repository, ConfigurationFiles> own) {
        this.territory = territory;
        this.everywhere = everywhere;
        this.own = own;
        this.relative = relative(everywhere);
        List<Setting> all = new ArrayList<>(everywhere.settings());
        addFiles(everywhere);
        own.forEach((repository, files) -> {
            Path base = repository.worktree().orElse(repository.gitDirectory());
            addFiles(files);
            targets.addAll(targets(files, base));
            targets.addAll(targets(everywhere, base));
            relativeInWorktrees
                    .computeIfAbsent(repository.commonDirectory(), unused -> new HashSet<>())
                    .addAll(relative(files));
            all.addAll(files.settings());
        });
        relativeInWorktrees.values().removeIf(Set::isEmpty);
        this.drivers = all.stream().flatMap(UserConfiguration::driver).collect(Collectors.toUnmodifiableSet());
    }

    /**
     * Reads the configuration.
     *
     * @param territory the directories that the guard watches
     * @param environment the environment of the user's git: {@code HOME}, {@code XDG_CONFIG_HOME}, {@code
     *     GIT_CONFIG_GLOBAL}, {@code GIT_CONFIG_SYSTEM}
     * @param repositories those whose own configuration counts, too
     */
    public static UserConfiguration read(
            Territory territory, Map<String, String> environment, List<Repository> repositories) {
        return read(territory, environment, repositories, Optional.empty());
    }

    /**
     * Reads the configuration again.
     *
     * @param environment as with {@link #read}, as are {@code repositories}
     * @return this object if the files have the same settings, and none of these may name a path
     */
    public UserConfiguration again(Map<String, String> environment, List<Repository> repositories) {
        return read(territory, environment, repositories, Optional.of(this));
    }

    private static UserConfiguration read(
            Territory territory,
            Map<String, String> environment,
            List<Repository> repositories,
            Optional<UserConfiguration> before) {
        ConfigurationFiles everywhere = ConfigurationFiles.everywhere(environment);
        Map<Repository, ConfigurationFiles> own = new LinkedHashMap<>();
        repositories.forEach(repository -> own.put(repository, ConfigurationFiles.of(repository, environment)));
        return before.filter(last -> last.isOf(everywhere, own))
                .orElseGet(() -> new UserConfiguration(territory, everywhere, own));
    }

    private boolean isOf(ConfigurationFiles nowEverywhere, Map<Repository, ConfigurationFiles> now) {
        return !namesPaths
                && everywhere.isLike(nowEverywhere)
                && own.keySet().equals(now.keySet())
                && own.entrySet().stream()
                        .allMatch(entry -> Optional.ofNullable(now.get(entry.getKey()))
                                .filter(entry.getValue()::isLike)
                                .isPresent());
    }

    /**
     * Returns the files and directories in the territory that the configuration makes git run or read, existing or not.
     * They must be protected.
     *
     * @return absolute paths; for a target of a link, also the link
     */
    public NavigableSet<Path> targets() {
        return new TreeSet<>(targets);
    }

    /**
     * Returns those of a repository that a command has created, or of a linked worktree that it has added to one of the
     * user's: the user's relative paths apply there too. Omits arguments of commands, since ordinary files have such
     * names.
     *
     * @param worktree the new repository's worktree
     * @return absolute paths, as with {@link #targets}
     */
    public NavigableSet<Path> targetsIn(Path worktree) {
        NavigableSet<Path> found = new TreeSet<>();
        Stream.concat(relative.stream(), relativeInLinked(worktree).stream())
                .forEach(path -> everywhere.path(path, worktree).ifPresent(target -> add(target, found)));
        return found;
    }

    private Set<String> relativeInLinked(Path worktree) {
        if (relativeInWorktrees.isEmpty()) {
            return Set.of();
        }
        return GitPointers.gitFile(worktree.resolve(".git"))
                .flatMap(territory::real)
                .flatMap(GitPointers::commonDirectory)
                .flatMap(territory::real)
                .map(common -> relativeInWorktrees.getOrDefault(common, Set.of()))
                .orElse(Set.of());
    }

    /**
     * Returns the files and directories that git uses in every worktree, such as {@code .hooks} of {@code
     * core.hooksPath = .hooks}.
     *
     * @param environment as with {@link #read}
     * @return paths relative to a worktree
     */
    public static Set<String> relativePaths(Map<String, String> environment) {
        return relative(ConfigurationFiles.everywhere(environment));
    }

    /**
     * Returns whether git records and replays merges in every repository.
     *
     * @param environment as with {@link #read}
     */
    public static boolean recordsMerges(Map<String, String> environment) {
        return recordsMerges(ConfigurationFiles.everywhere(environment).settings());
    }

    /** Returns whether a repository's own configuration makes git record and replay merges. */
    static boolean recordsMerges(Repository repository) {
        return recordsMerges(ConfigurationFiles.of(repository, Map.of()).settings());
    }

    private static boolean recordsMerges(List<Setting> settings) {
        return settings.stream()
                .filter(setting -> setting.pattern().equals("rerere.enabled"))
                .reduce((earlier, later) -> later)
                .filter(setting -> setting.value().map(TRUE::contains).orElse(true))
                .isPresent();
    }

    /** Returns the paths in a configuration that are relative to the worktree where git reads it. */
    private static Set<String> relative(ConfigurationFiles read) {
        return read.settings().stream()
                .flatMap(setting -> PATHS.contains(setting.pattern())
                        ? Stream.of(setting.text())
                        : COMMANDS.matcher(setting.pattern()).matches()
                                ? program(setting.text()).stream()
                                : Stream.empty())
                .filter(path -> !path.isEmpty() && !path.startsWith("/") && !path.startsWith("~"))
                .collect(Collectors.toUnmodifiableSet());
    }

    /** Returns the first word of a command line, if it names a file and not a program of the PATH. */
    private static Optional<String> program(String command) {
        return SEPARATOR
                .splitAsStream(command)
                .filter(word -> !word.isEmpty())
                .findFirst()
                .filter(word -> word.contains("/"));
    }

    /** Returns the user's drivers, such as {@code filter=lfs}. */
    public Set<String> drivers() {
        return drivers;
    }

    /**
     * Returns the user's drivers that attributes name, to be reported if they did not name them before.
     *
     * @param attributes a {@code .gitattributes} file
     * @return entries such as {@code filter=lfs}; empty if the file is absent or cannot be read
     */
    public Set<String> driversNamedBy(Path attributes) {
        return SmallFile.read(attributes, MAX_ATTRIBUTES_BYTES).stream()
                .flatMap(content -> ATTRIBUTE.matcher(content).results())
                .map(match -> match.group())
                .filter(drivers::contains)
                .collect(Collectors.toUnmodifiableSet());
    }

    private static Stream<String> driver(Setting setting) {
        var kind = DRIVER.matcher(setting.pattern());
        return kind.matches()
                ? setting.subsection().stream().map(name -> setting.section() + "=" + name)
                : Stream.empty();
    }

    private void addFiles(ConfigurationFiles read) {
        read.files().stream().filter(territory::contains).forEach(targets::add);
    }

    private NavigableSet<Path> targets(ConfigurationFiles files, Path base) {
        NavigableSet<Path> found = new TreeSet<>();
        for (Setting setting : files.settings()) {
            if (PATHS.contains(setting.pattern())) {
                path(files, setting.text(), base).ifPresent(path -> add(path, found));
            } else if (COMMANDS.matcher(setting.pattern()).matches()) {
                addWords(files, setting.text(), base, found);
            } else if (!DATA.matcher(setting.pattern()).matches()) {
                addNamedFiles(files, setting.text(), base, found);
            }
        }
        return found;
    }

    /**
     * Adds the words of a command line that name files. A command's first word need not exist yet; another word may
     * only resemble a path, and counts only if it is a file.
     */
    private void addWords(ConfigurationFiles files, String command, Path base, Set<Path> found) {
        boolean first = true;
        for (String word : SEPARATOR.split(command, -1)) {
            if (word.isEmpty()) {
                continue;
            }
            boolean program = first && word.contains("/");
            path(files, word, base)
                    .filter(path -> program || Files.isRegularFile(path))
                    .ifPresent(path -> add(path, found));
            first = false;
        }
    }

    /** Adds the words of a value that resemble paths and name files. */
    private void addNamedFiles(ConfigurationFiles files, String value, Path base, Set<Path> found) {
        SEPARATOR
                .splitAsStream(value)
                .filter(word -> word.indexOf('/') >= 0 || word.indexOf('.') >= 0)
                .flatMap(word -> path(files, word, base).stream())
                .filter(Files::isRegularFile)
                .forEach(path -> add(path, found));
    }

    /** Returns the path that a value names, existing or not. */
    private Optional<Path> path(ConfigurationFiles files, String value, Path base) {
        Optional<Path> path = files.path(value, base);
        namesPaths |= path.isPresent();
        return path;
    }

    private void add(Path path, Set<Path> found) {
        territory.parts(path.toAbsolutePath()).stream()
                .filter(target -> !territory.roots().contains(target))
                .forEach(found::add);
    }
}
