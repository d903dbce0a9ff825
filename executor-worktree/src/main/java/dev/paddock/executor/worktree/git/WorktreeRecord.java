package dev.paddock.executor.worktree.git;

import java.nio.file.Path;
import java.util.Optional;

/**
 * An entry of a repository's {@code worktrees}: the git directory of one linked worktree.
 *
 * @param directory the entry
 * @param territory the directories that the guard watches
 */
public record WorktreeRecord(Path directory, Territory territory) {

    /**
     * Returns the linked worktree's {@code .git} file, if it lies in the territory and names the record in return, and
     * the record names the repository that it lies in.
     */
    Optional<Path> gitFile() {
        return GitPointers.recordedGitFile(directory)
                .filter(file -> file.endsWith(".git"))
                .flatMap(territory::real)
                .filter(file ->
                        GitPointers.gitFile(file).flatMap(territory::real).equals(own()))
                .filter(file -> isInItsRepository());
    }

    /** Returns whether the record and a {@code .git} file name each other. */
    boolean isOf(Path file) {
        return gitFile().isPresent() && gitFile().equals(territory.real(file));
    }

    /** Returns whether the record's worktree lies in the territory, or cannot lie elsewhere. */
    public boolean isInside() {
        return GitPointers.recordedGitFile(directory)
                .map(Path::normalize)
                .filter(territory::contains)
                .isPresent();
    }

    private boolean isInItsRepository() {
        Optional<Path> common = GitPointers.commonDirectory(directory).flatMap(territory::real);
        Path parent = directory.getParent();
        return common.isPresent()
                && parent != null
                && own().map(Path::getParent).equals(common.map(path -> path.resolve("worktrees")));
    }

    private Optional<Path> own() {
        return territory.real(directory);
    }
}
