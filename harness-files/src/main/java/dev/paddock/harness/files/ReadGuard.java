package dev.paddock.harness.files;

import dev.paddock.harness.files.access.FileException;
import dev.paddock.harness.files.access.FileException.Reason;
import dev.paddock.harness.files.pattern.Glob;
import java.io.IOException;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Opens files, except those whose content is denied: by a glob on any of the paths that the roots
 * show for the file, or because the file has several hard links while there are globs.
 *
 * <p>Java cannot count the links of an open file. The count is read by the file's path before and
 * after the open, and must be that of the entry in the open directory both times. A program that
 * exchanges two entries and back within one tick of the file system's clock evades this; it can
 * only do so for a file that it can link.
 */
final class ReadGuard {
    private final List<Glob> denied;
    private final RootSet roots;

    ReadGuard(List<String> denyRead, RootSet roots) {
        this.denied = new ArrayList<>();
        this.roots = roots;
        for (String glob : denyRead) {
            denied.add(Glob.compile(glob));
            denied.add(Glob.compile(WriteGuard.lowerCase(glob)));
        }
        if (!denied.isEmpty()
                && !FileSystems.getDefault().supportedFileAttributeViews().contains("unix")) {
            throw new UnsupportedOperationException("denyRead needs the number of a file's hard links, which Java does"
                    + " not show on this system. Open the files without denyRead, from roots without secrets");
        }
    }

    /** Returns whether a glob denies a file's content. */
    boolean denies(GrantedDirectory root, List<String> resolved) {
        if (denied.isEmpty()) {
            return false;
        }
        Set<List<String>> absolute = RootSet.paths(root, resolved, roots.all());
        Set<List<String>> relative = RootSet.relative(absolute, roots.all());
        relative.add(resolved);
        return absolute.stream().anyMatch(this::isDenied) || relative.stream().anyMatch(this::isDenied);
    }

    /** Returns whether a glob matches a path or a directory on the way to it. */
    private boolean isDenied(List<String> path) {
        List<String> folded = path.stream().map(WriteGuard::folded).toList();
        for (int length = 1; length <= path.size(); length++) {
            String given = String.join("/", path.subList(0, length));
            String plain = String.join("/", folded.subList(0, length));
            if (denied.stream().anyMatch(glob -> glob.matches(given, given) || glob.matches(plain, plain))) {
                return true;
            }
        }
        return false;
    }

    /** Opens a regular file, whose kind was checked before. */
    SeekableByteChannel open(Directory in, String name, GrantedDirectory root, List<String> resolved, String shown)
            throws IOException {
        if (denies(root, resolved)) {
            throw new FileException(
                    Reason.NOT_READABLE, shown, shown + " is not readable: a rule denies its content. Do without it");
        }
        if (denied.isEmpty()) {
            return in.openFile(name);
        }
        Object before = requireOneLink(in, name, root.host(resolved), shown);
        SeekableByteChannel file = in.openFile(name);
        try {
            if (!before.equals(requireOneLink(in, name, root.host(resolved), shown))) {
                throw changed(shown);
            }
            return file;
        } catch (IOException | RuntimeException refused) {
            file.close();
            throw refused;
        }
    }

    /** Returns the identity of the entry and when it changed, if it has a single link. */
    private static Object requireOneLink(Directory in, String name, Path host, String shown) throws IOException {
        Map<String, Object> found;
        try {
            found = Files.readAttributes(host, "unix:nlink,ctime,fileKey", LinkOption.NOFOLLOW_LINKS);
        } catch (NoSuchFileException moved) {
            throw changed(shown);
        }
        Object key = in.attributes(name).map(BasicFileAttributes::fileKey).orElseThrow(() -> changed(shown));
        if (!key.equals(found.get("fileKey"))) {
            throw changed(shown);
        }
        if (!Objects.equals(found.get("nlink"), 1)) {
            throw new FileException(
                    Reason.NOT_READABLE,
                    shown,
                    shown + " is not readable: it has several hard links, and a rule may deny its content under another"
                            + " name. Do without it, or copy it");
        }
        return List.of(key, Objects.requireNonNull(found.get("ctime")));
    }

    private static FileException changed(String shown) {
        return new FileException(Reason.CHANGED, shown, shown + " changed during the call; try again");
    }
}
