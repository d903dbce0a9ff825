package dev.paddock.executor.worktree.git;

import dev.paddock.executor.os.file.Pinned;
import dev.paddock.executor.path.PathBytes;
import dev.paddock.executor.worktree.files.CachedDirectory;
import dev.paddock.executor.worktree.files.DirectoryCache;
import dev.paddock.executor.worktree.files.DirectoryReader;
import dev.paddock.executor.worktree.files.EntryState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Finds repositories by git's own rules and without following a link: a directory, file or anything else named {@code
 * .git}, and under any name a directory with a valid {@code HEAD} and {@code objects} and {@code refs}, or {@code
 * commondir}.
 *
 * <p>A directory named {@code .git} counts whatever it contains: {@code git init} completes a partial one, and keeps
 * its configuration and hooks. Where git's rule depends on a mode or on a link's target, the finder takes the entry for
 * a repository.
 *
 * <p>Repositories that a remote names by a local path are found like all others, by their files.
 */
public final class RepositoryFinder {
    private static final Path DOT_GIT = Path.of(".git");

    private final Territory territory;

    /**
     * Creates a finder.
     *
     * @param territory the directories that the guard watches; pointers that leave them cannot be judged
     */
    public RepositoryFinder(Territory territory) {
        this.territory = territory;
    }

    /**
     * Examines one directory: its {@code .git} and, under any name, the directory itself.
     *
     * @param directory a directory in the territory
     * @return at most two repositories and two unjudged entries
     */
    public Findings at(Path directory) {
        Search search = new Search();
        search.examineDotGit(directory.resolve(DOT_GIT));
        search.examineLayout(directory);
        return search.findings();
    }

    /**
     * Returns the repository of a directory in the ordinary case: {@code .git} is a directory with no {@code
     * commondir}, and the directory itself has no {@code HEAD}. {@link #at} then finds nothing else.
     *
     * @param directory a directory in the territory
     * @return empty in any other case
     */
    public Optional<Repository> ordinary(Path directory, DirectoryCache cache) {
        Path dotGit = directory.resolve(DOT_GIT);
        CachedDirectory entries = cache.at(dotGit);
        boolean ordinary = entries.isDirectory()
                && !entries.has("commondir")
                && !cache.at(directory).has("HEAD");
        return ordinary
                ? Optional.of(new Repository(dotGit, dotGit, Optional.of(directory), Repository.Kind.ORDINARY, true))
                : Optional.empty();
    }

    /**
     * Returns the linked worktree inside the repository that has its record. In a bare repository that is ordinary.
     * Inside a directory {@code .git} it could be used to create files that another program obeys, and is ignored.
     *
     * @param gitDirectory a git directory in the territory
     * @return empty if it is no record, or of a worktree elsewhere
     */
    public Optional<Path> innerWorktree(Path gitDirectory) {
        Path worktrees = gitDirectory.getParent();
        if (worktrees == null || !worktrees.endsWith("worktrees")) {
            return Optional.empty();
        }
        Path common = Pinned.parentOf(worktrees);
        if (GitNames.opensAsDotGit(common)) {
            return Optional.empty();
        }
        return new WorktreeRecord(gitDirectory, territory)
                .gitFile()
                .map(Path::getParent)
                .filter(worktree -> worktree.startsWith(common) && !worktree.equals(common));
    }

    /**
     * Searches a directory and all directories below it, including git directories.
     *
     * @param root where to start
     * @return all repositories, and as unjudged each directory that could not be listed
     */
    public Findings below(Path root) {
        Search search = new Search();
        if (GitNames.opensAsDotGit(root)) {
            search.examineDotGit(root);
        }
        Deque<Path> left = new ArrayDeque<>(List.of(root));
        while (!left.isEmpty()) {
            Path directory = left.pop();
            try {
                search.list(directory).forEach(left::push);
            } catch (IOException fault) {
                if (!(fault instanceof NoSuchFileException)) { // else a live command has removed it
                    search.addUnjudged(directory, "it cannot be searched for repositories (" + reason(fault) + ")");
                }
            }
        }
        return search.findings();
    }

    private static String reason(Exception fault) {
        return fault.getClass().getSimpleName();
    }

    private final class Search {
        private final List<Repository> repositories = new ArrayList<>();
        private final Map<Path, String> unjudged = new TreeMap<>();

        Findings findings() {
            return new Findings(repositories, unjudged);
        }

        void addUnjudged(Path path, String reason) {
            unjudged.putIfAbsent(path, reason);
        }

        /** Lists a directory, examines it, and returns the directories in it. */
        List<Path> list(Path directory) throws IOException {
            List<Path> below = new ArrayList<>();
            boolean head = false;
            for (Path child : DirectoryReader.list(directory)) {
                String name = PathBytes.of(child.getFileName());
                head |= GitNames.isHead(name);
                if (GitNames.isDotGit(name) && GitNames.opensAsDotGit(child)) {
                    examineDotGit(child.resolveSibling(DOT_GIT));
                }
                if (isDirectory(child)) {
                    below.add(child);
                }
            }
            if (head) {
                examineLayout(directory);
            }
            return below;
        }

        private boolean isDirectory(Path child) {
            try {
                return Files.readAttributes(child, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
                        .isDirectory();
            } catch (NoSuchFileException vanished) {
                return false;
            } catch (IOException unreadable) {
                addUnjudged(child, "its kind cannot be read (" + reason(unreadable) + ")");
                return false;
            }
        }

        void examineDotGit(Path dotGit) {
            Optional<Path> worktree = Optional.ofNullable(dotGit.getParent());
            switch (EntryState.of(dotGit).kind()) {
                case ABSENT -> {
                    // It does not exist.
                }
                case DIRECTORY ->
                    repositories.add(new Repository(dotGit, common(dotGit), worktree, Repository.Kind.ORDINARY, true));
                case FILE -> examinePointer(dotGit, worktree);
                case LINK -> addUnjudged(dotGit, "it is a link, which git follows");
                case SPECIAL -> addUnjudged(dotGit, "it is neither a file nor a directory");
                case UNREADABLE -> addUnjudged(dotGit, "it cannot be read");
            }
        }

        /** Examines a directory as git does when it looks for a bare repository. */
        void examineLayout(Path directory) {
            if (GitNames.opensAsDotGit(directory) || !GitPointers.isGitDirectory(directory)) {
                return;
            }
            Repository.Kind kind =
                    GitPointers.exists(directory.resolve("commondir")) ? Repository.Kind.RECORD : Repository.Kind.BARE;
            repositories.add(new Repository(directory, common(directory), Optional.empty(), kind, true));
        }

        private void examinePointer(Path file, Optional<Path> worktree) {
            Optional<Path> target = GitPointers.gitFile(file);
            if (target.isEmpty()) {
                addUnjudged(file, "it cannot be read as a pointer to a git directory");
                return;
            }
            Optional<Path> gitDirectory = territory.real(target.get());
            if (gitDirectory.isEmpty()) {
                addUnjudged(
                        file,
                        "it points to '" + PathBytes.escaped(target.get())
                                + "', which does not exist, lies outside the worktree, or is reached through a link");
            } else if (!GitPointers.isGitDirectory(gitDirectory.get())) {
                addUnjudged(
                        file, "it points to '" + PathBytes.escaped(gitDirectory.get()) + "', which is no repository");
            } else {
                repositories.add(pointed(file, gitDirectory.get(), worktree));
            }
        }

        private Repository pointed(Path file, Path gitDirectory, Optional<Path> worktree) {
            if (GitPointers.exists(gitDirectory.resolve("commondir"))) {
                boolean mutual = new WorktreeRecord(gitDirectory, territory).isOf(file);
                return new Repository(gitDirectory, common(gitDirectory), worktree, Repository.Kind.LINKED, mutual);
            }
            Optional<Path> named = GitPointers.recordedWorktree(gitDirectory).flatMap(territory::real);
            boolean mutual = named.isPresent() && named.equals(worktree.flatMap(territory::real));
            return new Repository(gitDirectory, gitDirectory, worktree, Repository.Kind.SUBMODULE, mutual);
        }

        private Path common(Path gitDirectory) {
            return GitPointers.commonDirectory(gitDirectory)
                    .flatMap(territory::real)
                    .orElse(gitDirectory);
        }
    }
}
