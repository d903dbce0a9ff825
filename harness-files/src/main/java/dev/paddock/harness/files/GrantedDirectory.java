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
 * A directory that the file tools may use, held open, and the names under which a path may speak of it.
 *
 * @param path its real path on the host
 * @param directory the open directory; owned by the {@link ContainedFiles} that holds the root
 * @param writable whether files may be written in it
 * @param told the name that the model is told
 * @param names all its names as lists of components: as given, without links, and as commands see it
 */
public record GrantedDirectory(Path path, Directory directory, boolean writable, String told, Set<List<String>> names) {

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

    /** What follows the longest of the root's names that starts a path; empty if none does. */
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

    /** Whether its path still leads to the directory that is held open. */
    boolean isInPlace() throws IOException {
        BasicFileAttributes there = Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        return Objects.equals(there.fileKey(), directory.attributes().fileKey());
    }

    /** What stands at a place in the root, as the model is told. */
    String tell(List<String> below) {
        String relative = String.join("/", below);
        return relative.isEmpty() ? told : told.equals("/") ? "/" + relative : told + "/" + relative;
    }

    /** A place as it stands in a listing: in the worktree relative to it, elsewhere in full. */
    public String listed(String below) {
        return writable ? below : told + "/" + below;
    }

    /** The components of a path, empty ones and {@code .} left out, {@code ..} kept. */
    static List<String> components(String path) {
        List<String> parts = new ArrayList<>();
        for (String part : path.split(File.separatorChar == '\\' ? "[/\\\\]" : "/", -1)) {
            if (!part.isEmpty() && !part.equals(".")) {
                parts.add(part);
            }
        }
        return parts;
    }

    /** How a root is opened: by a descriptor where there are such. */
    @FunctionalInterface
    interface DirectoryOpener {
        Directory open(Path path) throws IOException;
    }

    /**
     * A root that a path starts with.
     *
     * @param root the root
     * @param length how many components of the path name it
     * @param below the components after those
     */
    record Match(GrantedDirectory root, int length, List<String> below) {}
}
