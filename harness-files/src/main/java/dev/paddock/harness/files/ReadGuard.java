package dev.paddock.harness.files;

import dev.paddock.executor.pattern.Glob;
import dev.paddock.harness.files.access.FileException;
import dev.paddock.harness.files.access.FileException.Reason;
import dev.paddock.harness.files.pattern.Patterns;
import java.io.IOException;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Opens files, except those whose content is denied: by a glob on any of the file's paths in the roots, or because the
 * file has several hard links while there are globs.
 *
 * <p>Opens the file first, then checks that it has one link, whose name is the one by which it was opened, which the
 * globs were compared with. The kernel decrements the link count before it removes the name, so this waits for the
 * directory between the two checks; the kernel remembers for the open file whether the name was removed since, even if
 * another file has the name now.
 */
final class ReadGuard {
    /** The kernel's suffix for the path of a name that was removed. */
    private static final String REMOVED = " (deleted)";

    private final OpenDescriptors descriptors = new OpenDescriptors();
    private final List<Glob> denied;
    private final RootSet roots;

    ReadGuard(List<String> denyRead, RootSet roots) {
        this.denied = new ArrayList<>();
        this.roots = roots;
        for (String glob : denyRead) {
            denied.add(Patterns.glob(glob));
            denied.add(Patterns.glob(WriteGuard.lowerCase(glob)));
        }
        if (!denied.isEmpty()
                && !(OpenDescriptors.areKnown()
                        && FileSystems.getDefault()
                                .supportedFileAttributeViews()
                                .contains("unix"))) {
            throw new UnsupportedOperationException("denyRead needs /proc/self/fdinfo, by which the number of an open"
                    + " file's hard links is found. Mount /proc, or open the files without denyRead, from roots"
                    + " without secrets");
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

    /** Opens a regular file; the caller has checked its kind. */
    SeekableByteChannel open(Directory in, String name, GrantedDirectory root, List<String> resolved, String shown)
            throws IOException {
        if (denies(root, resolved)) {
            throw new FileException(
                    Reason.NOT_READABLE, shown, shown + " is not readable: a rule denies its content. Do without it");
        }
        if (denied.isEmpty()) {
            return in.openFile(name);
        }
        SeekableByteChannel file = in.openFile(name);
        try {
            requireOneLink(descriptors.of(file), in, root.host(resolved), shown);
            return file;
        } catch (IOException | RuntimeException refused) {
            file.close();
            throw refused;
        }
    }

    private static void requireOneLink(OpenDescriptors.Descriptor open, Directory in, Path host, String shown)
            throws IOException {
        if (open.links() > 1) {
            throw new FileException(
                    Reason.NOT_READABLE,
                    shown,
                    shown + " is not readable: it has several hard links, and a rule may deny its content under another"
                            + " name. Do without it, or copy it");
        }
        if (host.toString().endsWith(REMOVED)) {
            throw new FileException(
                    Reason.NOT_READABLE,
                    shown,
                    shown + " is not readable: the system marks names of removed files as '" + REMOVED
                            + "', so that this file's name cannot be verified. Rename it");
        }
        in.awaitChanges();
        if (!open.path().equals(host)) {
            throw changed(shown);
        }
    }

    private static FileException changed(String shown) {
        return new FileException(Reason.CHANGED, shown, shown + " changed during the call; try again");
    }
}
