package dev.paddock.executor.worktree.git;

import dev.paddock.executor.path.PathBytes;
import dev.paddock.executor.worktree.files.NameSkeleton;
import dev.paddock.executor.worktree.files.SmallFile;
import dev.paddock.executor.worktree.git.index.HashFormat;
import dev.paddock.executor.worktree.git.index.IndexReading;
import dev.paddock.executor.worktree.git.index.IndexVerifier;
import dev.paddock.executor.worktree.git.index.ObeyedNames;
import java.nio.file.Path;
import java.util.Optional;

/** Reads the index files of git directories. */
final class IndexFile {
    private static final int MAX_SIZE = 256 << 20;
    private static final int MAX_COMPARED = 16 << 20;
    private static final String SHARED = "sharedindex.";

    private IndexFile() {}

    static boolean isIndex(Path relative) {
        return GitNames.is(PathBytes.of(relative), "index");
    }

    static boolean isShared(Path relative) {
        return NameSkeleton.ofBytes(PathBytes.of(relative)).startsWith(SHARED);
    }

    /** Returns the remedy for an index that was moved, as the end of a clause. */
    static String remedy(Path relative) {
        return isIndex(relative)
                ? "; 'git reset' makes a new one from the last commit"
                : isShared(relative)
                        ? "; remove the index that is based on it, and 'git reset' makes one from the last commit"
                        : "";
    }

    /**
     * Reads and verifies an index.
     *
     * @param relative the path from the repository's git directory
     * @param obeyed selects entries to be listed in the result
     */
    static IndexReading read(Repository repository, Path relative, ObeyedNames obeyed) {
        Path directory = repository.gitDirectory();
        Optional<byte[]> index = SmallFile.bytes(directory.resolve(relative), MAX_SIZE);
        if (index.isEmpty()) {
            return new IndexReading.Refused("it cannot be read, or has more than " + (MAX_SIZE >> 20) + " MiB");
        }
        HashFormat format = format(repository);
        return isShared(relative)
                ? IndexVerifier.verifyShared(index.get(), format)
                : IndexVerifier.verify(
                        index.get(),
                        format,
                        checksum -> SmallFile.bytes(directory.resolve(SHARED + checksum), MAX_SIZE),
                        obeyed);
    }

    /** Returns whether a regular file has the content of an index entry. */
    static boolean isContent(Repository repository, Path file, long object) {
        return SmallFile.bytes(file, MAX_COMPARED)
                .filter(content -> format(repository).ofFile(content) == object)
                .isPresent();
    }

    private static HashFormat format(Repository repository) {
        return GitPointers.setting(repository.commonDirectory(), "extensions.objectformat")
                .filter(format -> format.equalsIgnoreCase("sha256"))
                .map(format -> HashFormat.SHA_256)
                .orElse(HashFormat.SHA_1);
    }
}
