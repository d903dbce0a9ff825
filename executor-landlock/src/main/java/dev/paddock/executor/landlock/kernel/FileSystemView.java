package dev.paddock.executor.landlock.kernel;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Optional;

/** What stands at a path: a rule is for the file that is there when it is made, not for the path. */
public interface FileSystemView {

    /** The host's file system. */
    FileSystemView HOST = new OfHost();

    /**
     * A file or directory.
     *
     * @param directory whether it is a directory
     * @param identity tells it from whatever else may stand at the same path at another time
     */
    record Place(boolean directory, Object identity) {}

    /** What is at a path, links followed; empty if nothing is, or it cannot be reached. */
    Optional<Place> at(String path);

    /** The path without links; itself, if nothing is there. */
    Path real(Path path);

    /** The host's file system. */
    final class OfHost implements FileSystemView {

        private OfHost() {}

        @Override
        public Optional<Place> at(String path) {
            try {
                BasicFileAttributes attributes = Files.readAttributes(Path.of(path), BasicFileAttributes.class);
                Object key = attributes.fileKey();
                return Optional.of(new Place(attributes.isDirectory(), key == null ? path : key));
            } catch (IOException absent) {
                return Optional.empty();
            }
        }

        @Override
        public Path real(Path path) {
            try {
                return path.toRealPath();
            } catch (IOException absent) {
                return path;
            }
        }
    }
}
