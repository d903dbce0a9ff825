package dev.paddock.executor.worktree.git;

import dev.paddock.executor.path.PathBytes;
import dev.paddock.executor.worktree.files.SmallFile;
import dev.paddock.executor.worktree.git.config.GitConfiguration;
import dev.paddock.executor.worktree.git.config.LfsFilter;
import dev.paddock.executor.worktree.git.config.Setting;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Decides which settings the configuration of a repository that a command has created may keep: those that git itself
 * writes in commands such as {@code init}, {@code clone}, {@code remote add} and {@code submodule add}, and the filter
 * of Git LFS. Every other setting offends: it may make git run a program or read configuration from elsewhere.
 */
final class ConfigurationRules {
    /** Settings whose value is harmless; {@code *} matches any subsection. */
    private static final Set<String> KEPT = Set.of(
            "core.repositoryformatversion",
            "core.filemode",
            "core.bare",
            "core.ignorecase",
            "core.precomposeunicode",
            "core.logallrefupdates",
            "core.symlinks",
            "core.sparsecheckout",
            "core.sparsecheckoutcone",
            "core.untrackedcache",
            "core.preloadindex",
            "core.commitgraph",
            "core.multipackindex",
            "feature.manyfiles",
            "index.version",
            "index.threads",
            "index.sparse",
            "index.skiphash",
            "maintenance.auto",
            "maintenance.strategy",
            "branch.*.merge",
            "branch.*.rebase",
            "remote.*.fetch",
            "remote.*.tagopt",
            "remote.*.mirror",
            "remote.*.partialclonefilter",
            "submodule.active",
            "submodule.*.active",
            "receive.denynonfastforwards",
            "extensions.objectformat",
            "extensions.compatobjectformat",
            "extensions.refstorage",
            "extensions.partialclone",
            "extensions.preciousobjects",
            "extensions.noop",
            "extensions.noop-v1",
            "extensions.relativeworktrees",
            "extensions.worktreeconfig",
            "lfs.repositoryformatversion",
            "lfs.*.access",
            "lfs.*.locksverify");

    private static final Set<String> ADDRESSES =
            Set.of("remote.*.url", "remote.*.pushurl", "submodule.*.url", "branch.*.remote", "branch.*.pushremote");

    /** Git's own transports. For every other scheme git runs a program git-remote-SCHEME. */
    private static final Set<String> SCHEMES =
            Set.of("http", "https", "ssh", "git", "file", "git+ssh", "ssh+git", "ftp", "ftps");

    private static final Pattern HELPER = Pattern.compile("[A-Za-z0-9][A-Za-z0-9+.-]*::.*");
    private static final Pattern SCHEME = Pattern.compile("([A-Za-z0-9][A-Za-z0-9+.-]*)://(.*)");
    /** A host or path that a program would parse as an option. */
    private static final Pattern OPTION = Pattern.compile("([^/@]*@)?-.*");

    /** The values of {@code core.sharedRepository} that let only the group write. */
    private static final Pattern NOT_WRITABLE_TO_OTHERS =
            Pattern.compile("umask|group|all|world|everybody|true|false|[012]|0?[67][0-7][0145]");

    private static final Pattern CONTROL = Pattern.compile("(?s).*[\\x00-\\x1f\\x7f].*");

    /** Those of the settings above that a linked worktree may set. */
    private static final Pattern OF_A_WORKTREE = Pattern.compile("(core|index)\\..*");

    private static final String EMPTY = "[core]\n\trepositoryformatversion = 0\n";

    private final Path gitDirectory;
    private final Territory territory;
    private final boolean linked;

    /**
     * Creates the rules for one repository.
     *
     * @param gitDirectory the directory that contains the configuration
     * @param territory the directories that the guard watches
     * @param linked whether these are the settings of a linked worktree, and its repository may be the user's: an
     *     address would redirect the user's next push from there
     */
    ConfigurationRules(Path gitDirectory, Territory territory, boolean linked) {
        this.gitDirectory = gitDirectory;
        this.territory = territory;
        this.linked = linked;
    }

    /**
     * The findings of the rules in a configuration.
     *
     * @param offending the name of each setting that may not stay, for a message
     * @param reported a clause for each setting that stays and that the user should know of
     * @param kept the configuration without the offending settings
     */
    record Review(List<String> offending, List<String> reported, GitConfiguration kept) {}

    /**
     * Judges the configuration of a repository that a command has created.
     *
     * @param created whether the file is new. If it is, a cleaned version replaces it; if not, the earlier version,
     *     which was judged before
     */
    Verdict judge(Path file, boolean created) {
        Optional<Review> review =
                SmallFile.read(file).flatMap(GitConfiguration::parse).map(this::review);
        if (review.isEmpty()) {
            String reason = "it is not a configuration file that git can read";
            return created ? new Verdict.Replaced(reason, EMPTY) : new Verdict.Restored(reason);
        }
        if (review.get().offending().isEmpty()) {
            return Verdict.reported(review.get().reported().stream().findFirst());
        }
        String reason = "it has settings that may make git run programs or read other files: "
                + String.join(", ", review.get().offending());
        return created ? new Verdict.Replaced(reason, review.get().kept().content()) : new Verdict.Restored(reason);
    }

    Review review(GitConfiguration configuration) {
        List<String> offending = new ArrayList<>();
        List<String> reported = new ArrayList<>();
        List<Setting> kept = new ArrayList<>();
        for (Setting setting : configuration.settings()) {
            Optional<String> fault = fault(setting);
            if (fault.isPresent()) {
                offending.add(fault.get());
            } else {
                kept.add(setting);
                report(setting).ifPresent(reported::add);
            }
        }
        return new Review(List.copyOf(offending), List.copyOf(reported), new GitConfiguration(kept));
    }

    private Optional<String> fault(Setting setting) {
        String shown = PathBytes.escaped(setting.name());
        if (CONTROL.matcher(setting.name() + setting.text()).matches()) {
            return Optional.of(shown + " (with control characters)");
        }
        String pattern = setting.pattern();
        if (linked) {
            return KEPT.contains(pattern) && OF_A_WORKTREE.matcher(pattern).matches()
                    ? Optional.empty()
                    : Optional.of(shown);
        }
        if (KEPT.contains(pattern)
                || pattern.equals("remote.*.promisor")
                || LfsFilter.has(setting)
                || (pattern.startsWith("user.") && setting.subsection().isEmpty())) {
            return Optional.empty();
        }
        if (ADDRESSES.contains(pattern)) {
            return isAddress(setting.text())
                    ? Optional.empty()
                    : Optional.of(shown + " (git runs a program for the address '" + PathBytes.escaped(setting.text())
                            + "')");
        }
        if (pattern.equals("core.sharedrepository")) {
            return NOT_WRITABLE_TO_OTHERS.matcher(setting.text()).matches()
                    ? Optional.empty()
                    : Optional.of(shown + " (git lets every user of this machine write to the repository)");
        }
        if (pattern.equals("core.worktree")) {
            return pointsBack(setting.text())
                    ? Optional.empty()
                    : Optional.of(shown + " (the directory '" + PathBytes.escaped(setting.text())
                            + "' does not belong to the repository)");
        }
        return Optional.of(shown);
    }

    /** Returns whether git reaches an address without a program that the address chooses. */
    static boolean isAddress(String address) {
        if (HELPER.matcher(address).matches() || OPTION.matcher(address).matches()) {
            return false;
        }
        var scheme = SCHEME.matcher(address);
        return !scheme.matches()
                || (SCHEMES.contains(scheme.group(1))
                        && !OPTION.matcher(scheme.group(2)).matches());
    }

    private boolean pointsBack(String name) {
        Optional<Path> worktree = GitPointers.resolve(gitDirectory, name).flatMap(territory::real);
        if (worktree.isEmpty()) {
            return false;
        }
        Path dotGit = worktree.get().resolve(".git");
        Optional<Path> own = territory.real(gitDirectory);
        return own.isPresent()
                && (own.get().equals(dotGit)
                        || GitPointers.gitFile(dotGit).flatMap(territory::real).equals(own));
    }

    private Optional<String> report(Setting setting) {
        return switch (setting.pattern()) {
            case "remote.*.promisor", "remote.*.partialclonefilter", "extensions.partialclone" ->
                Optional.of("git fetches missing objects from the remote by itself, also in 'git diff' ("
                        + PathBytes.escaped(setting.name()) + ")");
            case "remote.*.mirror" ->
                Optional.of("a push replaces and deletes references of the remote (" + PathBytes.escaped(setting.name())
                        + ")");
            case "remote.*.url", "remote.*.pushurl" ->
                isLocalElsewhere(setting.text())
                        ? Optional.of("a push to '" + PathBytes.escaped(setting.text())
                                + "' runs that repository's hooks, which are not protected here")
                        : Optional.empty();
            default -> Optional.empty();
        };
    }

    /** Returns whether git reads an address as a local path outside the territory. */
    private boolean isLocalElsewhere(String address) {
        String file = address.startsWith("file://") ? address.substring("file://".length()) : address;
        int colon = file.indexOf(':');
        int slash = file.indexOf('/');
        boolean local = colon < 0 || (slash >= 0 && slash < colon);
        Path parent = gitDirectory.getParent();
        Path base = gitDirectory.endsWith(".git") && parent != null ? parent : gitDirectory;
        return local && GitPointers.resolve(base, file).flatMap(territory::real).isEmpty();
    }
}
