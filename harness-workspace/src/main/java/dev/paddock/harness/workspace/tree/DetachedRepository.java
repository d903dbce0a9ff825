package dev.paddock.harness.workspace.tree;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.paddock.executor.os.file.Fault;
import dev.paddock.executor.os.file.FileContents;
import dev.paddock.executor.os.file.Kernel;
import dev.paddock.executor.os.file.Status;
import dev.paddock.executor.os.posix.Memory;
import dev.paddock.executor.path.PathBytes;
import dev.paddock.harness.workspace.TreeException;
import dev.paddock.harness.workspace.TreePath;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * Creates a repository for the copy of a linked worktree: with its {@code HEAD}, index and references, and references
 * to its repository's objects. Does not run git, and copies no hooks or configuration; copies a file only if it has
 * git's format.
 */
final class DetachedRepository {
    private static final String ID = "(?:[0-9a-f]{40}|[0-9a-f]{64})";
    private static final Pattern REFERENCE = Pattern.compile("(?:ref: refs/[!-~]+|" + ID + ")\n?");
    private static final Pattern PACKED = Pattern.compile("#[^\n]*|\\^" + ID + "|" + ID + " refs/[^\n]+");
    private static final Pattern SHARED_INDEX = Pattern.compile("sharedindex\\." + ID);
    private static final Pattern ID_ALONE = Pattern.compile(ID);

    private static final String INDEX_BEGIN = "DIRC";
    private static final long MAX_INDEX_BYTES = 1 << 30;
    private static final int INDEX_MODE = 0644;

    /** Lists are read into memory. */
    private static final long MAX_LIST_BYTES = 64 << 20;

    private static final long SMALL = 1 << 20;
    private static final int MAX_DEPTH = 50;

    private final Kernel kernel;
    private final Path made;

    private DetachedRepository(Kernel kernel, Path made) {
        this.kernel = kernel;
        this.made = made;
    }

    /** Creates the repository in a new directory below {@code scratch}. */
    static Path make(Kernel kernel, GitPointer.Linked linked, TreePath where, Path scratch) throws IOException {
        String objects = PathBytes.of(linked.common().resolve("objects"));
        if (objects.indexOf('\n') >= 0) {
            throw new TreeException(where, "the path of its repository has a line break; rename the directory");
        }
        Path made = Files.createTempDirectory(scratch, "git");
        DetachedRepository repository = new DetachedRepository(kernel, made);
        repository.write("config", config(linked.sha256()));
        repository.write("objects/info/alternates", objects + "\n");
        for (String directory : List.of("objects/pack", "refs/heads", "refs/tags")) {
            Files.createDirectories(made.resolve(directory));
        }
        try {
            repository.takeOver(linked);
        } catch (Fault fault) {
            throw new TreeException(where, "its repository cannot be read: " + fault.getMessage());
        }
        return made;
    }

    private static String config(boolean sha256) {
        return "[core]\n\trepositoryformatversion = " + (sha256 ? 1 : 0) + "\n\tfilemode = true\n\tbare = false\n"
                + "\tlogallrefupdates = true\n" + (sha256 ? "[extensions]\n\tobjectformat = sha256\n" : "");
    }

    private void takeOver(GitPointer.Linked linked) throws IOException {
        int own = kernel.openDirectory(Kernel.NO_DIRECTORY, PathBytes.of(linked.gitDirectory()));
        try {
            take(own, "HEAD", SMALL, REFERENCE.asMatchPredicate());
            takeIndex(own, "index");
            for (String name : kernel.names(own)) {
                if (SHARED_INDEX.matcher(name).matches()) {
                    takeIndex(own, name);
                }
            }
            for (String head : List.of("MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "ORIG_HEAD")) {
                take(own, head, SMALL, DetachedRepository::isIds);
            }
            take(own, "MERGE_MSG", SMALL, DetachedRepository::isText);
            take(own, "MERGE_MODE", SMALL, DetachedRepository::isText);
        } finally {
            kernel.close(own);
        }
        int common = kernel.openDirectory(Kernel.NO_DIRECTORY, PathBytes.of(linked.common()));
        try {
            take(common, "packed-refs", MAX_LIST_BYTES, text -> text.lines().allMatch(PACKED.asMatchPredicate()));
            take(common, "shallow", MAX_LIST_BYTES, DetachedRepository::isIds);
            below(common, "info", "info", (info, path) -> take(info, path, "exclude", DetachedRepository::isText));
            below(common, "refs", "refs", (references, path) -> {
                for (String kind : List.of("heads", "tags", "remotes")) {
                    below(references, kind, path + "/" + kind, (directory, inner) -> references(directory, inner, 0));
                }
            });
        } finally {
            kernel.close(common);
        }
    }

    @FunctionalInterface
    private interface InDirectory {
        void with(int directory, String path) throws IOException;
    }

    private void below(int parent, String name, String path, InDirectory action) throws IOException {
        int directory;
        try {
            directory = kernel.openDirectory(parent, name);
        } catch (Fault absent) {
            if (absent.showsChange()) {
                return;
            }
            throw absent;
        }
        try {
            action.with(directory, path);
        } finally {
            kernel.close(directory);
        }
    }

    private void references(int directory, String path, int depth) throws IOException {
        for (String name : kernel.names(directory)) {
            Fault.throwIfInterrupted();
            Status status = kernel.status(directory, name);
            if (status.isDirectory() && depth < MAX_DEPTH) {
                below(directory, name, path + "/" + name, (inner, deeper) -> references(inner, deeper, depth + 1));
            } else {
                take(directory, path, name, REFERENCE.asMatchPredicate());
            }
        }
    }

    private void take(int directory, String path, String name, Predicate<String> form) throws IOException {
        Optional<String> text =
                RegularFileText.read(kernel, directory, name, SMALL).filter(form);
        if (text.isPresent()) {
            write(path + "/" + name, text.get());
        }
    }

    private void take(int directory, String name, long most, Predicate<String> form) throws IOException {
        Optional<String> text =
                RegularFileText.read(kernel, directory, name, most).filter(form);
        if (text.isPresent()) {
            write(name, text.get());
        }
    }

    /** Copies an index by its descriptor, with its holes: a command chooses its size. */
    private void takeIndex(int directory, String name) throws IOException {
        int from;
        try {
            from = kernel.openFile(directory, name);
        } catch (Fault absent) {
            if (absent.showsChange() || absent.is(Fault.EACCES)) {
                return;
            }
            throw absent;
        }
        try {
            Status status = kernel.status(from);
            if (status.isFile() && status.size() <= MAX_INDEX_BYTES && isIndex(from)) {
                int to = kernel.createFile(Kernel.NO_DIRECTORY, PathBytes.of(made.resolve(name)));
                try {
                    new FileContents(kernel).copy(from, to, status.size());
                    kernel.setMode(to, INDEX_MODE);
                } finally {
                    kernel.close(to);
                }
            }
        } finally {
            kernel.close(from);
        }
    }

    /** Returns whether a file begins like an index, and moves it back to its beginning. */
    private boolean isIndex(int file) throws Fault {
        byte[] begin = new byte[INDEX_BEGIN.length()];
        ByteBuffer buffer = Memory.allocate(begin.length);
        int length = kernel.read(file, buffer, begin.length);
        buffer.get(0, begin, 0, length);
        kernel.position(file, 0);
        return new String(begin, ISO_8859_1).equals(INDEX_BEGIN);
    }

    private void write(String path, String content) throws IOException {
        Path file = new TreePath(path).under(made);
        Files.createDirectories(file.getParent());
        Files.write(file, content.getBytes(ISO_8859_1));
    }

    /** Matches line by line: a pattern that repeats a choice uses stack for each line. */
    private static boolean isIds(String text) {
        return text.endsWith("\n") && text.indexOf('\r') < 0 && text.lines().allMatch(ID_ALONE.asMatchPredicate());
    }

    private static boolean isText(String text) {
        return text.indexOf('\0') < 0;
    }
}
