package dev.paddock.executor.remote.files;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.paddock.executor.path.PathBytes;
import dev.paddock.executor.policy.ProtectedPaths;
import dev.paddock.executor.remote.sync.LandingRule;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;

/**
 * Keeps changes at protected names away from the host. Passes git's own files if they belong to a repository that the
 * host does not have yet: the guard examines new repositories.
 *
 * @param worktree the host's
 * @param names the protected names
 */
record ProtectedLanding(Path worktree, ProtectedPaths names) implements LandingRule {
    private static final String GIT = ".git";

    @Override
    public boolean mayLand(Path path, boolean exists) {
        String text = new String(PathBytes.of(path).getBytes(ISO_8859_1), UTF_8);
        if (!names.covers(text) && !(isGit(path) && isPointer(path))) {
            return true;
        }
        for (int count = 1; count < path.getNameCount(); count++) {
            Path above = path.subpath(0, count);
            if (isGit(above)) {
                return !Files.exists(worktree.resolve(above), LinkOption.NOFOLLOW_LINKS);
            }
        }
        return false;
    }

    /** Returns whether a path ends in {@code .git}, or in a name that the host's file system may confuse with it. */
    private static boolean isGit(Path path) {
        return GIT.equalsIgnoreCase(String.valueOf(path.getFileName()));
    }

    /** Returns whether the host has a linked worktree's {@code .git} file at a path. */
    private boolean isPointer(Path path) {
        return Files.isRegularFile(worktree.resolve(path), LinkOption.NOFOLLOW_LINKS);
    }
}
