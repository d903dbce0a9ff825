package dev.paddock.harness.workspace.tree;

import dev.paddock.executor.os.file.Fault;
import dev.paddock.executor.os.file.Kernel;
import dev.paddock.executor.os.file.Status;
import dev.paddock.executor.path.PathBytes;
import dev.paddock.harness.workspace.TreePath;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Examines a {@code .git} file or link: in a copy it would still lead to the original's repository, and a commit in the
 * copy would change it.
 *
 * <p>A command can write any path into the file. Therefore a repository elsewhere is read only if it names this
 * worktree in the file that {@code git worktree add} writes.
 */
final class GitPointer {
    private static final String PREFIX = "gitdir: ";
    private static final long MAX_BYTES = 8 << 10;
    private static final Pattern HEAD = Pattern.compile("(ref: refs/[!-~]+|[0-9a-f]{40}|[0-9a-f]{64})\n?");

    /** Both patterns match within a line: across empty lines, their time would grow with the square of the file. */
    private static final Pattern SHA256 = Pattern.compile("(?im)^[ \\t]*+objectformat[ \\t]*+=[ \\t]*+sha256[ \\t]*+$");

    private static final Pattern REFTABLE = Pattern.compile("(?im)^[ \\t]*+refstorage[ \\t]*+=[ \\t]*+(?!files)");

    /** The meaning of a {@code .git}. */
    sealed interface Found {}

    /** It is copied like any file. */
    record Ordinary() implements Found {}

    /** It names a git directory in the tree by an absolute path; {@code content} names it relatively. */
    record Inside(String content) implements Found {}

    /** It leads out of the tree, and is omitted. */
    record Outside(String reason) implements Found {}

    /** It belongs to a linked worktree of a repository elsewhere. */
    record Linked(Path gitDirectory, Path common, boolean sha256) implements Found {}

    private final Kernel kernel;
    private final Path root;
    private final TreePath directory;

    private GitPointer(Kernel kernel, Path root, TreePath directory) {
        this.kernel = kernel;
        this.root = root;
        this.directory = directory;
    }

    /**
     * Examines the {@code .git} of a directory.
     *
     * @param descriptor the open directory
     * @param directory its path in the tree
     */
    static Found of(Kernel kernel, int descriptor, TreePath directory, Path root, Status status) throws IOException {
        GitPointer pointer = new GitPointer(kernel, root, directory);
        if (status.isLink()) {
            return pointer.link(kernel.target(descriptor, ".git"));
        }
        Optional<String> text = RegularFileText.read(kernel, descriptor, ".git", MAX_BYTES);
        return text.isPresent() && text.get().startsWith(PREFIX)
                ? pointer.file(text.get().substring(PREFIX.length()).replaceFirst("[\r\n]+$", ""))
                : new Ordinary();
    }

    private Found link(String target) {
        Path leadsTo = resolved(target);
        return target.startsWith("/") || !leadsTo.startsWith(root)
                ? new Outside("a link to a git directory that a copy must not use")
                : new Ordinary();
    }

    private Found file(String target) throws IOException {
        Path leadsTo = resolved(target);
        if (leadsTo.startsWith(root)) {
            return target.startsWith("/") ? new Inside(relative(leadsTo)) : new Ordinary();
        }
        Path git;
        try {
            git = leadsTo.toRealPath();
        } catch (IOException absent) {
            return new Outside("it names a git directory that does not exist");
        }
        Path worktrees = git.getParent();
        Path common = worktrees == null ? null : worktrees.getParent();
        if (worktrees == null || common == null || !worktrees.endsWith("worktrees") || git.startsWith(root)) {
            return new Outside("it names a git directory that is not a linked worktree's");
        }
        return linked(git, common);
    }

    private Found linked(Path git, Path common) throws IOException {
        int opened = kernel.openDirectory(Kernel.NO_DIRECTORY, PathBytes.of(git));
        int shared = -1;
        try {
            shared = kernel.openDirectory(Kernel.NO_DIRECTORY, PathBytes.of(common));
            if (!namesThisWorktree(opened, git)) {
                return new Outside("it names a linked worktree's git directory that does not name it");
            }
            if (!line(opened, "commondir").equals("../..")
                    || !kernel.status(shared, "objects").isDirectory()
                    || RegularFileText.read(kernel, opened, "HEAD", MAX_BYTES)
                            .filter(HEAD.asMatchPredicate())
                            .isEmpty()) {
                return new Outside("it names a git directory that is not one as git makes it");
            }
            String config =
                    RegularFileText.read(kernel, shared, "config", 1 << 20).orElse("");
            if (REFTABLE.matcher(config).find()) {
                return new Outside("its repository does not store its references as files");
            }
            return new Linked(git, common, SHA256.matcher(config).find());
        } catch (Fault fault) {
            return new Outside("it names a git directory that cannot be read: " + fault.getMessage());
        } finally {
            kernel.close(opened);
            if (shared >= 0) {
                kernel.close(shared);
            }
        }
    }

    private boolean namesThisWorktree(int opened, Path git) throws Fault {
        String named = line(opened, "gitdir");
        return !named.isEmpty()
                && git.resolve(path(named))
                        .normalize()
                        .equals(directory.child(".git").under(root));
    }

    private String line(int opened, String file) throws Fault {
        return RegularFileText.read(kernel, opened, file, MAX_BYTES).orElse("").replaceFirst("\n$", "");
    }

    private String relative(Path leadsTo) {
        Path from = directory.under(root);
        String below = PathBytes.of(leadsTo).substring(PathBytes.of(root).length() + 1);
        return PREFIX + "../".repeat(from.getNameCount() - root.getNameCount()) + below + "\n";
    }

    private Path resolved(String target) {
        return directory.under(root).resolve(path(target)).normalize();
    }

    private static Path path(String bytes) {
        Path relative = new TreePath(bytes).under(Path.of(""));
        return bytes.startsWith("/") ? Path.of("/").resolve(relative) : relative;
    }
}
