package dev.paddock.harness.files;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * Holds an open directory that the file tools may use, and the names by which a path may refer to
 * it.
 *
 * @param path its real path on the host
 * @param directory the open directory; owned by the {@link ContainedFiles} that holds the root
 * @param writable whether files in it may be written
 * @param shown the name shown to the model
 * @param names all its names as lists of components: as given, without links, and as commands see
 *     it
 */
public record GrantedDirectory(
        Path path, Directory directory, boolean writable, String shown, Set<List<String>> names) {

    static GrantedDirectory open(Path path, boolean writable, Optional<String> commandPath, DirectoryOpener opener)
            throws IOException {
        Path real = path.toRealPath();
        if (!Files.isDirectory(real)) {
            throw new NotDirectoryException(path.toString());
        }
        Set<List<String>> names = new LinkedHashSet<>();
        names.add(components(path.toAbsolutePath().normalize().toString()));
        names.add(components(real.toString()));
        commandPath.ifPresent(command -> names.add(components(command)));
        return new GrantedDirectory(real, opener.open(real), writable, commandPath.orElse(path.toString()), names);
    }

    /**
     * Matches the longest of the root's names that is a prefix of a path, and returns the rest;
     * empty if none is.
     */
    Optional<Match> match(List<String> absolute) {
        return names.stream()
                .filter(name -> name.size() <= absolute.size()
                        && absolute.subList(0, name.size()).equals(name))
                .mapToInt(List::size)
                .max()
                .stream()
                .mapToObj(length -> new Match(this, length, absolute.subList(length, absolute.size())))
                .findAny();
    }

    /** Returns whether its path still leads to the open directory. */
    boolean isInPlace() throws IOException {
        BasicFileAttributes there = Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        return Objects.equals(there.fileKey(), directory.attributes().fileKey());
    }

    /** Returns the path of a location in the root, as shown to the model. */
    String shown(List<String> below) {
        String relative = String.join("/", below);
        return relative.isEmpty() ? shown : shown.equals("/") ? "/" + relative : shown + "/" + relative;
    }

    /** Returns a path as shown in a listing: relative in the worktree, absolute elsewhere. */
    public String listed(String below) {
        return writable ? below : shown + "/" + below;
    }

    /** Splits a path into components; omits empty ones and {@code .}, keeps {@code ..}. */
    static List<String> components(String path) {
        List<String> parts = new ArrayList<>();
        for (String part : path.split(File.separatorChar == '\\' ? "[/\\\\]" : "/", -1)) {
            if (!part.isEmpty() && !part.equals(".")) {
                parts.add(part);
            }
        }
        return parts;
    }

    /** Opens a root: by a descriptor where the platform supports it. */
    @FunctionalInterface
    interface DirectoryOpener {
        Directory open(Path path) throws IOException;
    }

    /**
     * Holds a root that matches the start of a path.
     *
     * @param root the root
     * @param length how many leading components of the path name the root
     * @param below the components after those
     */
    record Match(GrantedDirectory root, int length, List<String> below) {}
}
