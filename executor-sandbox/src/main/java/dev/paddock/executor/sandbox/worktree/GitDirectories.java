package dev.paddock.executor.sandbox.worktree;

import dev.paddock.executor.process.launch.HostEnvironment;
import dev.paddock.executor.sandbox.worktree.git.Findings;
import dev.paddock.executor.sandbox.worktree.git.Repository;
import dev.paddock.executor.sandbox.worktree.git.Repository.Kind;
import dev.paddock.executor.sandbox.worktree.git.RepositoryFinder;
import dev.paddock.executor.sandbox.worktree.git.Territory;
import dev.paddock.executor.sandbox.worktree.git.UserConfiguration;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The git directories of a worktree at one moment: those of its repositories, and inside them those
 * of submodules and linked worktrees.
 */
final class GitDirectories {
    private final Map<Path, Repository> byDirectory = new TreeMap<>();
    private final Set<Path> pointers = new HashSet<>();

    private GitDirectories() {}

    /**
     * Examines directories.
     *
     * @param candidates directories that have a {@code .git} or a {@code HEAD}
     */
    static GitDirectories in(Collection<Path> candidates, RepositoryFinder finder) {
        GitDirectories found = new GitDirectories();
        for (Path candidate : candidates) {
            found.add(finder.at(candidate));
        }
        for (Repository repository : Set.copyOf(found.byDirectory.values())) {
            for (String inner : new String[] {"modules", "worktrees"}) {
                Path below = repository.gitDirectory().resolve(inner);
                if (Files.isDirectory(below, LinkOption.NOFOLLOW_LINKS)) {
                    found.add(finder.below(below));
                }
            }
        }
        return found;
    }

    /**
     * Examines directories, and the git directories of a linked worktree.
     *
     * @param candidates directories that have a {@code .git} or a {@code HEAD}
     */
    static GitDirectories of(GuardedPaths paths, Collection<Path> candidates, RepositoryFinder finder) {
        Set<Path> all = new TreeSet<>(candidates);
        paths.linked().ifPresent(git -> {
            Path common = git.commonDirectory();
            all.add(common.endsWith(".git") ? Pinned.parentOf(common) : common);
            all.add(git.gitDirectory());
        });
        return in(all, finder);
    }

    /**
     * Returns the files and directories outside git directories that the user's own configuration
     * makes git run or read, such as the hooks of {@code core.hooksPath}.
     */
    Set<Path> targets(Territory territory) {
        Set<Path> targets = new TreeSet<>(
                UserConfiguration.read(territory, HostEnvironment.all(), List.copyOf(byDirectory.values()))
                        .targets());
        targets.removeIf(target -> byDirectory.keySet().stream().anyMatch(target::startsWith));
        return targets;
    }

    private void add(Findings findings) {
        for (Repository repository : findings.repositories()) {
            boolean pointer = repository.kind() == Kind.LINKED || repository.kind() == Kind.SUBMODULE;
            if (pointer && repository.mutual()) {
                repository.worktree().ifPresent(worktree -> pointers.add(worktree.resolve(".git")));
            }
            if (pointer) {
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

    /** Returns whether a {@code .git} file names a git directory that names it in return. */
    boolean isPointer(Path file) {
        return pointers.contains(file) && Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS);
    }

    /**
     * Returns whether a repository's files stand in a directory with a {@code .git}, or above one:
     * git may find them first.
     */
    boolean isLayoutAboveAnother(Repository repository, Path root) {
        Path directory = repository.gitDirectory();
        return (repository.kind() == Kind.BARE || repository.kind() == Kind.RECORD)
                && (directory.equals(root)
                        || byDirectory.keySet().stream()
                                .anyMatch(other -> other.endsWith(".git") && other.startsWith(directory)));
    }
}
