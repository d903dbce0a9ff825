package dev.paddock.executor.config.grant;

import dev.paddock.executor.log.LateLogger;
import dev.paddock.executor.policy.Mount;
import dev.paddock.executor.policy.SandboxPolicy;
import dev.paddock.executor.worktree.git.config.GitConfiguration;
import dev.paddock.executor.worktree.git.config.LfsFilter;
import dev.paddock.executor.worktree.git.config.Setting;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.zip.CRC32C;

/**
 * The part of the user's git configuration passed to commands: the settings of {@link GitSettingRules}, the ignored
 * files and the attributes. A repository's own settings override them, as on the host.
 *
 * <p>Git reads them instead of the system's configuration, which the file includes; git before 2.32 does not.
 *
 * @since 0.1
 */
public final class UserGit {
    private static final System.Logger LOG = LateLogger.of(UserGit.class);

    /** Settings that name a file of patterns, and the file that git reads without the setting. */
    private static final Map<String, String> PATTERNS =
            Map.of("core.excludesfile", "ignore", "core.attributesfile", "attributes");

    private static final Set<String> TRUE = Set.of("1", "true", "yes", "on");

    /** The end of the file's name if the user signs commits: the commits of commands are not signed. */
    private static final String UNSIGNED = "unsigned.gitconfig";

    private final UserContext user;
    private final GitFiles files;
    private final List<Setting> settings = new ArrayList<>();
    private final Map<String, Path> patterns = new LinkedHashMap<>();
    private final Set<String> filters = new LinkedHashSet<>();
    private boolean signs;

    private UserGit(Path worktree, UserContext user) {
        this.user = user;
        files = new GitFiles(user, worktree);
        PATTERNS.forEach((name, file) -> patterns.put(name, files.directory().resolve(file)));
        files.forEach(this::add);
        patterns.values().removeIf(file -> !Files.isRegularFile(file));
    }

    /**
     * Adds the configuration to a policy.
     *
     * @param policy the policy
     * @param user the user whose configuration is read: {@code ~/.gitconfig} and {@code $XDG_CONFIG_HOME/git/config},
     *     with the files that they include for the worktree
     * @return the policy with read-only files and the variable that names one; the same policy if nothing of the user's
     *     configuration is passed, or a file cannot be created
     */
    public static SandboxPolicy addTo(SandboxPolicy policy, UserContext user) {
        UserGit git = new UserGit(policy.worktree().hostPath(), user);
        if (git.settings.isEmpty() && git.patterns.isEmpty() && git.filters.isEmpty()) {
            return policy;
        }
        try {
            return git.grant().addTo(policy);
        } catch (IOException | IllegalArgumentException fault) {
            LOG.log(Level.DEBUG, "git is not configured in the sandbox", fault);
            return policy;
        }
    }

    private void add(Path file, Setting setting) {
        if (PATTERNS.containsKey(setting.name())) {
            // A setting in the worktree could name any file of the host.
            if (!files.isInWorktree(file)) {
                files.expand(GitFiles.text(setting.text()))
                        .filter(Path::isAbsolute)
                        .ifPresent(named -> patterns.put(setting.name(), named));
            }
        } else if (setting.name().equals("safe.directory")) {
            settings.add(new Setting(setting.name(), setting.value().map(this::withHome)));
        } else if (GitSettingRules.isPassed(setting) || LfsFilter.has(setting)) {
            settings.add(setting);
        } else if (GitSettingRules.isFilter(setting)) {
            filters.add(setting.subsection().orElse(""));
        } else if (setting.name().equals("commit.gpgsign")) {
            signs = setting.value().isEmpty() || TRUE.contains(setting.text().toLowerCase(Locale.ROOT));
        }
    }

    /** Resolves {@code ~/}, since commands have another home directory. */
    private String withHome(String value) {
        byte[] home = user.home().toString().getBytes(StandardCharsets.UTF_8);
        return value.startsWith("~/") ? new String(home, StandardCharsets.ISO_8859_1) + value.substring(1) : value;
    }

    private Grant grant() throws IOException {
        List<Mount> mounts = new ArrayList<>();
        List<Setting> all = new ArrayList<>();
        if (!TRUE.contains(user.environment().getOrDefault("GIT_CONFIG_NOSYSTEM", ""))) {
            all.add(new Setting("include.path", Optional.of("/etc/gitconfig")));
        }
        all.addAll(settings);
        filters.forEach(name -> all.addAll(GitSettingRules.failing(name)));
        for (Map.Entry<String, Path> entry : patterns.entrySet()) {
            Optional<String> content = GitFiles.read(entry.getValue());
            if (content.isPresent()) {
                Path file = write(content.get(), PATTERNS.getOrDefault(entry.getKey(), ""));
                mounts.add(readOnly(file));
                all.add(new Setting(entry.getKey(), Optional.of(file.toString())));
            }
        }
        // Hints recognize by the name that commits are not signed.
        Path file = write(new GitConfiguration(all).content(), signs ? UNSIGNED : "gitconfig");
        mounts.add(readOnly(file));
        return new Grant(mounts, Map.of("GIT_CONFIG_SYSTEM", file.toString()));
    }

    private static Mount readOnly(Path file) {
        return new Mount(file, file.toString(), Mount.Access.READ_ONLY);
    }

    /** Writes a file for commands, named after its content. */
    private Path write(String content, String kind) throws IOException {
        byte[] bytes = content.getBytes(StandardCharsets.ISO_8859_1);
        CRC32C sum = new CRC32C();
        sum.update(bytes);
        Path directory = user.cacheHome().resolve("identity");
        new CacheDirectory(user.cacheHome()).makeOwn(directory);
        Path file = directory.resolve(HexFormat.of().toHexDigits((int) sum.getValue()) + "." + kind);
        if (!isFile(file, content)) {
            Path unfinished = Files.createTempFile(directory, "", "");
            Files.write(unfinished, bytes);
            Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        }
        return file.toRealPath();
    }

    private static boolean isFile(Path file, String content) throws IOException {
        return Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
                && GitFiles.read(file).filter(content::equals).isPresent();
    }
}
