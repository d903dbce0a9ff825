package dev.paddock.executor.worktree.files;

import dev.paddock.executor.path.PathBytes;
import dev.paddock.executor.worktree.files.DirectoryReader.Kind;
import dev.paddock.executor.worktree.files.DirectoryReader.Selection;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Lists the entries of a directory that are no regular files, by the kinds that the kernel reports with
 * the names: without a call for each file, of which a directory may have millions, and without keeping
 * their names.
 *
 * <p>Not safe for use by several threads.
 */
final class IrregularEntries {
    private final Optional<DirectoryReader> reader;

    private IrregularEntries(Optional<DirectoryReader> reader) {
        this.reader = reader;
    }

    /** Creates the list that is the fastest on this machine. */
    static IrregularEntries create() {
        return new IrregularEntries(DirectoryReader.create());
    }

    /** Creates a list that uses the JDK alone. */
    static IrregularEntries portable() {
        return new IrregularEntries(Optional.empty());
    }

    /** Selects regular files that are listed as well. */
    record Wanted(String initials, Predicate<String> names) {}

    /**
     * Returns the paths of the entries, in order.
     *
     * @throws java.nio.file.NoSuchFileException if there is no such directory
     * @throws java.nio.file.NotDirectoryException if a link or a file is in its place
     * @throws IOException if it cannot be read
     */
    List<Path> of(Path directory, Wanted wanted) throws IOException {
        List<Path> found = new ArrayList<>();
        if (reader.isPresent()) {
            reader.get().read(PathBytes.of(directory), () -> {}, selection(wanted), (name, kind) -> {
                if (isIrregular(kind, directory, name) || wanted.names().test(name)) {
                    found.add(resolve(directory, name));
                }
            });
        } else {
            listPortably(directory, wanted, found);
        }
        found.sort(null);
        return found;
    }

    private static Selection selection(Wanted wanted) {
        return Selection.irregularAndBeginningWith(wanted.initials());
    }

    private static boolean isIrregular(Kind kind, Path directory, String name) {
        return switch (kind) {
            case FILE -> false;
            case DIRECTORY, LINK, SPECIAL -> true;
            case UNKNOWN -> !EntryState.of(resolve(directory, name)).is(EntryState.Kind.FILE);
        };
    }

    private static Path resolve(Path directory, String name) {
        return directory.resolve(TreeSearch.path(name));
    }

    private static void listPortably(Path directory, Wanted wanted, List<Path> found) throws IOException {
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory.resolve("."))) {
            for (Path entry : entries) {
                String name = PathBytes.of(entry.getFileName());
                if (isIrregular(Kind.UNKNOWN, directory, name) || wanted.names().test(name)) {
                    found.add(directory.resolve(entry.getFileName()));
                }
            }
        } catch (DirectoryIteratorException fault) {
            throw fault.getCause();
        }
    }
}
