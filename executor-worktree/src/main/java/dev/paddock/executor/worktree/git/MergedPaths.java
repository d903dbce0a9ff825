package dev.paddock.executor.worktree.git;

import dev.paddock.executor.path.PathBytes;
import dev.paddock.executor.worktree.files.FileStatus;
import dev.paddock.executor.worktree.files.SmallFile;
import dev.paddock.executor.worktree.git.index.TreeNames;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Verifies {@code MERGE_RR}, the list of the files whose conflicts git records and resolves. Git opens each path for
 * writing without a check, and follows links.
 */
record MergedPaths(Repository repository, Territory territory) {
    private static final Pattern RECORD =
            Pattern.compile("([0-9a-f]{40}|[0-9a-f]{64})(\\.[0-9]{1,9})?\\t(?<path>.+)", Pattern.DOTALL);
    private static final String END = "\0";

    /**
     * Returns whether each record names a file of the worktree that is reached without a link and has no second name.
     */
    boolean areConflicts(Path list) {
        Optional<String> content = SmallFile.read(list);
        if (content.filter(String::isEmpty).isPresent()) {
            return true;
        }
        Optional<Path> worktree = worktree();
        return content.isPresent()
                && worktree.isPresent()
                && content.get().endsWith(END)
                && Pattern.compile(END)
                        .splitAsStream(content.get())
                        .allMatch(record -> isConflict(record, worktree.get()));
    }

    private Optional<Path> worktree() {
        return repository
                .worktree()
                .or(() -> new WorktreeRecord(repository.gitDirectory(), territory)
                        .gitFile()
                        .map(Path::getParent))
                .or(this::ofSubmodule);
    }

    /** A submodule's git directory is also found below {@code modules}, and names the worktree in its configuration. */
    private Optional<Path> ofSubmodule() {
        Path directory = repository.gitDirectory();
        return GitPointers.recordedWorktree(directory)
                .flatMap(territory::real)
                .filter(worktree -> GitPointers.gitFile(worktree.resolve(".git"))
                        .flatMap(territory::real)
                        .equals(territory.real(directory)));
    }

    private static boolean isConflict(String record, Path worktree) {
        var matcher = RECORD.matcher(record);
        return matcher.matches()
                && TreeNames.isPath(matcher.group("path"))
                && PathBytes.path(matcher.group("path"))
                        .filter(path -> isReachedDirectly(path, worktree))
                        .isPresent();
    }

    private static boolean isReachedDirectly(Path path, Path worktree) {
        Path reached = worktree;
        for (Path name : path) {
            reached = reached.resolve(name);
            try {
                Optional<FileStatus> status = FileStatus.of(reached);
                boolean last = reached.getNameCount() == worktree.getNameCount() + path.getNameCount();
                if (status.isPresent()
                        && !(last ? isSingleFile(status.get()) : status.get().isDirectory())) {
                    return false;
                }
            } catch (IOException unreadable) {
                return false;
            }
        }
        return true;
    }

    private static boolean isSingleFile(FileStatus status) {
        return status.isFile() && status.links() == 1;
    }
}
