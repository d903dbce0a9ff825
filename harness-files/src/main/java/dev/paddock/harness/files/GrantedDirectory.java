package dev.paddock.harness.files;

import dev.paddock.executor.policy.Mount;
import dev.paddock.executor.policy.PathMapping;
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
 * Holds an open directory that the file tools may use, and the names by which a path may refer to
 * it. A root may be a single file: then it holds the file's parent and gives access to that name
 * alone.
 *
 * @param path the real path of the directory on the host
 * @param directory the open directory; owned by the {@link ContainedFiles} that holds the root
 * @param file the name of the only file that may be used; empty if the whole directory may be
 * @param access whether files in it may be written
 * @param base whether relative paths start here, so that listings show relative paths
 * @param shown the name shown to the model
 * @param names all its names as lists of components: as given, without links, and as commands see
 *     it
 */
public record GrantedDirectory(
        Path path,
        Directory directory,
        Optional<String> file,
        Mount.Access access,
        boolean base,
        String shown,
        Set<List<String>> names) {

    /** Opens the directory that relative paths start in; known by its host paths too. */
    static GrantedDirectory worktree(PathMapping worktree, DirectoryOpener opener) throws IOException {
        return named(worktree.hostPath(), worktree.commandPath(), Mount.Access.READ_WRITE, true, opener);
    }

    /** Opens a directory that may be read, known by its host path. */
    static GrantedDirectory readOnly(Path path, DirectoryOpener opener) throws IOException {
        return named(path, path.toString(), Mount.Access.READ_ONLY, false, opener);
    }

    private static GrantedDirectory named(
            Path path, String shown, Mount.Access access, boolean base, DirectoryOpener opener) throws IOException {
        Path real = path.toRealPath();
        if (!Files.isDirectory(real)) {
            throw new NotDirectoryException(path.toString());
        }
        Set<List<String>> names = new LinkedHashSet<>();
        names.add(components(path.toAbsolutePath().normalize().toString()));
        names.add(components(real.toString()));
        names.add(components(shown));
        return new GrantedDirectory(real, opener.open(real), Optional.empty(), access, base, shown, names);
    }

    /**
     * Opens a directory or a file of the host that is seen at another path, and is known by that
     * path alone.
     *
     * @throws FileSystemException if the host path is missing, leads through a link, or is neither
     *     a file nor a directory
     */
    static GrantedDirectory mount(Mount mount, DirectoryOpener opener) throws IOException {
        Path source = mount.source();
        if (!source.toRealPath().equals(source)) {
            throw new FileSystemException(source.toString(), null, "was replaced by a link after it was granted");
        }
        Set<List<String>> names = Set.of(components(mount.target()));
        BasicFileAttributes found = Files.readAttributes(source, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        if (found.isDirectory()) {
            return new GrantedDirectory(
                    source, opener.open(source), Optional.empty(), mount.access(), false, mount.target(), names);
        }
        Path parent =
                Optional.ofNullable(source.getParent()).orElseThrow(() -> new FileNotFoundException(source.toString()));
        Optional<String> name = Optional.of(String.valueOf(source.getFileName()));
        return new GrantedDirectory(parent, opener.open(parent), name, mount.access(), false, mount.target(), names);
    }

    boolean writable() {
        return access == Mount.Access.READ_WRITE;
    }

    /** Returns the path at which commands see it, as components. */
    List<String> point() {
        return components(shown);
    }

    /** Returns the attributes of the file, or else the directory, as it is now; empty if it is gone. */
    public Optional<BasicFileAttributes> attributes() throws IOException {
        return directory.attributes(file.orElse("."));
    }

    /** Returns its real path on the host: that of the file, if it is a single file. */
    Path host() {
        return file.map(path::resolve).orElse(path);
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

    /** Returns a path as shown in a listing: relative in the worktree, absolute elsewhere. */
    public String listed(String below) {
        return base ? below : below.isEmpty() ? shown : shown.equals("/") ? "/" + below : shown + "/" + below;
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
