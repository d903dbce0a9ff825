package dev.paddock.executor.config.grant;

import dev.paddock.executor.log.LateLogger;
import dev.paddock.executor.policy.Mount;
import dev.paddock.executor.policy.SandboxPolicy;
import dev.paddock.executor.worktree.git.config.GitConfiguration;
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
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * The name and address of the user's git commits, and nothing else of the user's configuration. A
 * repository's own settings count before them, as on the host.
 *
 * <p>Git finds them in the place of the system's configuration, which the file includes; git before
 * 2.32 does not, and asks for them.
 */
public final class GitIdentity {
    private static final System.Logger LOG = LateLogger.of(GitIdentity.class);
    private static final List<String> NAMES = List.of("user.name", "user.email");
    private static final int DEEPEST = 10;
    private static final long LARGEST = 1 << 20;

    private GitIdentity() {}

    /**
     * Adds the identity to a policy.
     *
     * @param policy the policy
     * @param user the user whose configuration is read: {@code ~/.gitconfig} and
     *     {@code $XDG_CONFIG_HOME/git/config}, with the files that they include for the worktree
     * @return the policy with a read-only file and the variable that names it; the same policy if
     *     the user has no identity, or the file cannot be made
     */
    public static SandboxPolicy addTo(SandboxPolicy policy, UserContext user) {
        Map<String, String> identity = read(policy.worktree().hostPath(), user);
        if (identity.isEmpty()) {
            return policy;
        }
        try {
            Path file = write(identity, user);
            Mount mount = new Mount(file, file.toString(), Mount.Access.READ_ONLY);
            return new Grant(List.of(mount), Map.of("GIT_CONFIG_SYSTEM", file.toString())).addTo(policy);
        } catch (IOException | IllegalArgumentException fault) {
            LOG.log(Level.DEBUG, "git has no identity in the sandbox", fault);
            return policy;
        }
    }

    /** Returns the settings that count, by their names. */
    static Map<String, String> read(Path worktree, UserContext user) {
        Map<String, String> found = new LinkedHashMap<>();
        for (Path file : files(user)) {
            collect(file, worktree, user, found, 0);
        }
        return found;
    }

    private static List<Path> files(UserContext user) {
        Optional<Path> only = user.path("GIT_CONFIG_GLOBAL");
        if (only.isPresent()) {
            return List.of(only.get());
        }
        Path config = user.path("XDG_CONFIG_HOME").orElseGet(() -> user.home().resolve(".config"));
        return List.of(config.resolve("git/config"), user.home().resolve(".gitconfig"));
    }

    private static void collect(Path file, Path worktree, UserContext user, Map<String, String> found, int depth) {
        Optional<GitConfiguration> parsed = Optional.empty();
        try {
            if (depth < DEEPEST && Files.isRegularFile(file) && Files.size(file) <= LARGEST) {
                parsed = GitConfiguration.parse(Files.readString(file, StandardCharsets.ISO_8859_1));
            }
        } catch (IOException unreadable) {
            LOG.log(Level.DEBUG, "git's configuration is not read", unreadable);
        }
        for (Setting setting : parsed.map(GitConfiguration::settings).orElse(List.of())) {
            if (NAMES.contains(setting.name())) {
                found.put(setting.name(), setting.text());
            } else if (setting.key().equals("path") && isIncluded(setting, worktree, user)) {
                collect(resolve(file, setting.text(), user), worktree, user, found, depth + 1);
            }
        }
    }

    /** Returns whether a file is included; of the conditions, {@code gitdir:DIRECTORY/} is known. */
    private static boolean isIncluded(Setting setting, Path worktree, UserContext user) {
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
                && real(worktree).startsWith(real(expand(directory, user)));
    }

    private static Path resolve(Path file, String value, UserContext user) {
        return file.resolveSibling(expand(text(value), user));
    }

    private static Path expand(String path, UserContext user) {
        return path.startsWith("~/") ? user.home().resolve(path.substring(2)) : Path.of(path);
    }

    private static Path real(Path path) {
        try {
            return path.toRealPath();
        } catch (IOException absent) {
            return path;
        }
    }

    private static String text(String bytes) {
        return new String(bytes.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8).replace("\0", "");
    }

    /** Writes the file that commands see, under a name of its content. */
    private static Path write(Map<String, String> identity, UserContext user) throws IOException {
        List<Setting> settings = new ArrayList<>();
        settings.add(new Setting("include.path", Optional.of("/etc/gitconfig")));
        identity.forEach((name, value) -> settings.add(new Setting(name, Optional.of(value))));
        String content = new GitConfiguration(settings).content();
        byte[] bytes = content.getBytes(StandardCharsets.ISO_8859_1);
        CRC32C sum = new CRC32C();
        sum.update(bytes);
        Path directory = user.cacheHome().resolve("identity");
        new CacheDirectory(user.cacheHome()).makeOwn(directory);
        Path file = directory.resolve(HexFormat.of().toHexDigits((int) sum.getValue()) + ".gitconfig");
        if (!isFile(file, content)) {
            Path unfinished = Files.createTempFile(directory, "", "");
            Files.write(unfinished, bytes);
            Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        }
        return file.toRealPath();
    }

    private static boolean isFile(Path file, String content) throws IOException {
        return Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
                && Files.readString(file, StandardCharsets.ISO_8859_1).equals(content);
    }
}
