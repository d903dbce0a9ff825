package dev.paddock.cli.setup;

import dev.paddock.executor.path.PathBytes;
import dev.paddock.executor.process.file.FileReference;
import dev.paddock.executor.process.file.Kernel;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The directory of a settings file, held open where the kernel allows it: commands that run meanwhile can exchange each
 * directory of the project for a link, and nothing is then read or written where that leads.
 *
 * @param reference empty where the kernel offers no such references
 * @param path leads to it
 */
record SettingsDirectory(Optional<FileReference> reference, Path path) implements AutoCloseable {
    /**
     * Opens a directory part by part; follows no link.
     *
     * @param within the real path of an existing directory
     * @param directory in it or the same
     * @param create whether to make what is missing
     * @throws NoSuchFileException if a part is missing
     */
    static SettingsDirectory open(Path within, Path directory, boolean create) throws IOException {
        if (!FileReference.canReopen()) {
            if (create) {
                Files.createDirectories(directory);
            }
            return new SettingsDirectory(Optional.empty(), directory);
        }
        FileReference at = FileReference.open(FileReference.NO_DIRECTORY, within, within);
        for (Path name : within.relativize(directory)) {
            if (!name.toString().isEmpty()) {
                at = enter(at, name, create);
            }
        }
        return new SettingsDirectory(Optional.of(at), at.path());
    }

    /** Closes the parent in any case. */
    private static FileReference enter(FileReference parent, Path name, boolean create) throws IOException {
        try (parent) {
            if (create) {
                make(parent.path().resolve(name));
            }
            return parent.child(name);
        }
    }

    private static void make(Path directory) throws IOException {
        try {
            Files.createDirectory(directory);
        } catch (FileAlreadyExistsException there) {
            return; // or no directory, in which nothing can be opened
        }
    }

    Path file(Path target) {
        return path.resolve(String.valueOf(target.getFileName()));
    }

    /** Removes a directory in this one, unless it is not empty; never a file or a link that has its name. */
    void removeIfEmpty(Path directory) throws IOException {
        if (reference.isPresent()) {
            Kernel.create().remove(reference.get().descriptor(), PathBytes.of(directory.getFileName()), true);
        } else if (Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
            Files.delete(directory);
        }
    }

    @Override
    public void close() {
        reference.ifPresent(FileReference::close);
    }
}
