package dev.paddock.cli.editor;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Creates the file of the typed prompts: nobody else can read it or its directory. */
public final class HistoryFile {
    private static final Set<PosixFilePermission> PRIVATE = PosixFilePermissions.fromString("rw-------");
    private static final FileAttribute<?> PRIVATE_FILE = PosixFilePermissions.asFileAttribute(PRIVATE);
    private static final FileAttribute<?> PRIVATE_DIRECTORY =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

    private HistoryFile() {}

    /**
     * Creates the file if it does not exist, and makes it private if it is not. Returns empty if that fails or the path
     * is a link: then there is no history.
     */
    public static Optional<Path> prepare(Path file) {
        @Nullable Path directory = file.getParent();
        try {
            if (directory != null) {
                Files.createDirectories(directory, PRIVATE_DIRECTORY);
            }
            if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
                Files.createFile(file, PRIVATE_FILE);
            }
            if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
                return Optional.empty();
            }
            Files.setPosixFilePermissions(file, PRIVATE);
            return Optional.of(file);
        } catch (IOException | UnsupportedOperationException refused) {
            return Optional.empty();
        }
    }
}
