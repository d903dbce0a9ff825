package dev.paddock.harness.files;

import dev.paddock.executor.policy.Mount;
import dev.paddock.harness.files.access.FileRoot;
import java.io.File;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.FileSystemException;
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
 * An open directory that the file tools may use, and its names in paths. A root may be a single file: then the
 * directory is the file's parent, and only that name is accessible.
 *
 * @param path the real path of the directory on the host
 * @param directory the open directory; owned by the root's {@link ContainedFiles}
 * @param file the name of the only accessible file; empty if the whole directory is accessible
 * @param access whether files in it may be written
 * @param base whether relative paths start here
 * @param shown the name shown to the model
 * @param names all its names as lists of components: as given, without links, and the command path
 */
public record GrantedDirectory(
        Path path,
        Directory directory,
        Optional<String> file,
        Mount.Access access,
        boolean base,
        String shown,
        Set<List<String>> names) {

    /**
     * Opens the directory that relative paths start in. Unless its command path is {@code /}, its host paths are names,
     * too: links made on the host contain them.
     */
    static GrantedDirectory base(FileRoot root, DirectoryOpener opener) throws IOException {
        Path real = root.host().toRealPath();
        if (!Files.isDirectory(real)) {
            throw new NotDirectoryException(root.host().toString());
        }
        Set<List<String>> names = new LinkedHashSet<>(Set.of(components(root.shownAs())));
        if (!root.shownAs().equals("/")) {
            names.add(components(EntryName.of(root.host())));
            names.add(components(EntryName.of(real)));
            root.otherNames().forEach(other -> names.add(components(other)));
        }
        return new GrantedDirectory(
                real, opener.open(real), Optional.empty(), root.access(), true, root.shownAs(), names);
    }

    /**
     * Opens a directory or a file of the host that is known by the path alone at which it is seen.
     *
     * @throws FileSystemException if the host path is missing, leads through a link, or is neither
     *     a file nor a directory
     */
    static GrantedDirectory other(FileRoot root, DirectoryOpener opener) throws IOException {
        Path host = root.host();
        if (!host.toRealPath().equals(host)) {
            throw new FileSystemException(
                    host.toString(), null, "leads through a symbolic link; grant the real path instead");
        }
        Set<List<String>> names = Set.of(components(root.shownAs()));
        BasicFileAttributes found = Files.readAttributes(host, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        if (found.isDirectory()) {
            return new GrantedDirectory(
                    host, opener.open(host), Optional.empty(), root.access(), false, root.shownAs(), names);
        }
        Path parent =
                Optional.ofNullable(host.getParent()).orElseThrow(() -> new FileNotFoundException(host.toString()));
        Optional<String> name = Optional.of(EntryName.of(Objects.requireNonNull(host.getFileName())));
        return new GrantedDirectory(parent, opener.open(parent), name, root.access(), false, root.shownAs(), names);
    }

    boolean writable() {
        return access == Mount.Access.READ_WRITE;
    }

    /** Returns its command path, as components. */
    List<String> point() {
        return components(shown);
    }

    /** Returns the current attributes of the file, or else the directory; empty if it is gone. */
    Optional<BasicFileAttributes> attributes() throws IOException {
        return directory.attributes(file.orElse("."));
    }

    /** Returns the command path of a location in it, as components. */
    List<String> seen(List<String> below) {
        List<String> seen = new ArrayList<>(point());
        seen.addAll(below);
        return seen;
    }

    /** Returns its real host path: the file's, if it is a single file. */
    Path host() {
        return file.map(name -> path.resolve(EntryName.path(name))).orElse(path);
    }

    /** Returns the host path of a location in it; to compare, never to open. */
    Path host(List<String> below) {
        Path host = host();
        for (String name : below) {
            host = host.resolve(EntryName.path(name));
        }
        return host;
    }

    /**
     * Matches the longest of the root's names that is a prefix of a path, and returns the rest;
     * empty if none is.
     */
    Optional<Match> match(List<String> absolute) {
        return names.stream().filter(name -> startsWith(absolute, name)).mapToInt(List::size).max().stream()
                .mapToObj(length -> new Match(this, length, absolute.subList(length, absolute.size())))
                .findAny();
    }

    static boolean startsWith(List<String> path, List<String> start) {
        return start.size() <= path.size() && path.subList(0, start.size()).equals(start);
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

    @FunctionalInterface
    interface DirectoryOpener {
        Directory open(Path path) throws IOException;
    }

    /**
     * A root that matches the start of a path.
     *
     * @param root the root
     * @param length how many leading components of the path name the root
     * @param below the components after those
     */
    record Match(GrantedDirectory root, int length, List<String> below) {}
}
