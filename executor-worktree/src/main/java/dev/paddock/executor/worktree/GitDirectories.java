package dev.paddock.executor.worktree;

import dev.paddock.executor.os.file.Pinned;
import dev.paddock.executor.worktree.files.CachedDirectory;
import dev.paddock.executor.worktree.files.DirectoryCache;
import dev.paddock.executor.worktree.git.Findings;
import dev.paddock.executor.worktree.git.GitDirectoryRules;
import dev.paddock.executor.worktree.git.GitNames;
import dev.paddock.executor.worktree.git.Repository;
import dev.paddock.executor.worktree.git.RepositoryFinder;
import dev.paddock.executor.worktree.git.UserConfiguration;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The git directories of a worktree at one moment: those of its repositories, and the nested ones of submodules and
 * linked worktrees.
 */
final class GitDirectories {
    private final TreeMap<Path, Repository> byDirectory = new TreeMap<>();
    private final List<Repository> repositories = new ArrayList<>();
    private final Map<Path, String> unjudged = new TreeMap<>();

    /** Worktrees inside a git directory; their files do not count as its entries. */
    private final Set<Path> innerWorktrees = new TreeSet<>();

    private final Set<Path> candidates;

    private GitDirectories(Collection<Path> candidates) {
        this.candidates = Set.copyOf(candidates);
    }

    /**
     * Examines directories.
     *
     * @param candidates directories that have a {@code .git} or a {@code HEAD}
     */
    static GitDirectories in(Collection<Path> candidates, RepositoryFinder finder, DirectoryCache cache) {
        GitDirectories found = new GitDirectories(candidates);
        for (Path candidate : candidates) {
            Optional<Repository> ordinary = finder.ordinary(candidate, cache);
            found.add(ordinary.map(repository -> new Findings(List.of(repository), Map.of()))
                    .orElseGet(() -> finder.at(candidate)));
        }
        for (Path directory : List.copyOf(found.byDirectory.keySet())) {
            CachedDirectory entries = cache.at(directory);
            for (String inner : new String[] {"modules", "worktrees"}) {
                if (entries.has(inner) && Files.isDirectory(directory.resolve(inner), LinkOption.NOFOLLOW_LINKS)) {
                    found.add(finder.below(directory.resolve(inner)));
                }
            }
        }
        found.byDirectory
                .keySet()
                .forEach(directory -> finder.innerWorktree(directory).ifPresent(found.innerWorktrees::add));
        return found;
    }

    /**
     * Examines directories, and the git directories of a linked worktree.
     *
     * @param candidates directories that have a {@code .git} or a {@code HEAD}
     */
    static GitDirectories of(
            GuardedPaths paths, Collection<Path> candidates, RepositoryFinder finder, DirectoryCache cache) {
        Set<Path> all = new TreeSet<>(candidates);
        paths.linked().ifPresent(git -> {
            Path common = git.commonDirectory();
            all.add(GitNames.opensAsDotGit(common) ? Pinned.parentOf(common) : common);
            all.add(git.gitDirectory());
        });
        GitDirectories found = in(all, finder, cache);
        found.innerWorktrees.add(paths.root());
        return found;
    }

    /**
     * Returns the repositories. A linked worktree occurs twice: by its {@code .git} file, with its worktree; and by its
     * record in the repository, without one, which {@link #byDirectory()} prefers.
     */
    List<Repository> repositories() {
        return List.copyOf(repositories);
    }

    /**
     * Returns the files and directories outside git directories that the user's own configuration makes git run or
     * read, such as the hooks of {@code core.hooksPath}.
     */
    Set<Path> targets(UserConfiguration configuration) {
        Set<Path> targets = new TreeSet<>(configuration.targets());
        targets.removeIf(target -> byDirectory.keySet().stream().anyMatch(target::startsWith));
        return targets;
    }

    private void add(Findings findings) {
        repositories.addAll(findings.repositories());
        findings.unjudged().forEach(unjudged::putIfAbsent);
        for (Repository repository : findings.repositories()) {
            if (repository.isPointed()) {
                byDirectory.putIfAbsent(repository.gitDirectory(), repository);
            } else {
                byDirectory.put(repository.gitDirectory(), repository);
            }
        }
    }

    /** Returns the repositories by git directory, parents before children. */
    Map<Path, Repository> byDirectory() {
        return byDirectory;
    }

    /**
     * Returns the separately judged git directories inside a git directory, and the worktrees: git directories at paths
     * of its own files are judged by the rules of both.
     */
    Set<Path> nestedIn(Path directory) {
        Set<Path> nested = new TreeSet<>();
        for (Path worktree : innerWorktrees) {
            if (isInside(directory, worktree)) {
                nested.add(worktree);
            }
        }
        for (Path other : byDirectory.tailMap(directory, false).keySet()) {
            if (!other.startsWith(directory)) {
                // Bytes between the name and a slash, such as '-', sort before the entries inside.
                if (!other.toString().startsWith(directory.toString())) {
                    break;
                }
            } else if (GitDirectoryRules.mayContainRepositories(directory.relativize(other))) {
                nested.add(other);
            }
        }
        return nested;
    }

    /** Returns whether an entry of a git directory is only a parent of a worktree below it. */
    boolean isAboveWorktree(Path directory, Path entry) {
        return innerWorktrees.stream()
                .anyMatch(worktree -> isInside(directory, worktree) && worktree.startsWith(entry));
    }

    private static boolean isInside(Path directory, Path worktree) {
        return worktree.startsWith(directory)
                && !worktree.equals(directory)
                && GitDirectoryRules.mayContainWorktrees(directory.relativize(worktree));
    }

    /**
     * Returns whether an entry is the {@code .git} file of a candidate and names a git directory, so that {@link
     * PathExaminer} judges it anywhere.
     */
    boolean isPointer(Path entry) {
        return entry.endsWith(".git")
                && candidates.contains(Pinned.parentOf(entry))
                && findings().pointedBy(entry).isPresent();
    }

    /** Returns the repositories, and the entries that may hide one. */
    Findings findings() {
        return new Findings(repositories, unjudged);
    }
}
