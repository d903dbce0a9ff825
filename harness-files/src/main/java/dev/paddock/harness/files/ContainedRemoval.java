package dev.paddock.harness.files;

import dev.paddock.harness.files.access.FileException;
import dev.paddock.harness.files.access.FileException.Reason;
import dev.paddock.harness.files.kernel.ProcessDirectories;
import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.NoSuchFileException;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Removes one entry of an open directory, with its content on request. Opens each directory relative to its open
 * parent, never through a link; removes a link itself. Examines the whole tree first, and removes nothing if it
 * contains a protected path, a root, or a directory that cannot be opened. Examines each entry again before it removes
 * it. An interrupt of the thread ends the removal before the next entry.
 */
final class ContainedRemoval {
    /** Each level has open descriptors. */
    private static final int MAX_DEPTH = 100;

    private final Location where;
    private final RootSet roots;
    private final WriteGuard guard;
    private final ProcessDirectories processes;
    private final Set<Object> keysOfRoots = new HashSet<>();

    ContainedRemoval(Location where, RootSet roots, WriteGuard guard, ProcessDirectories processes) {
        this.where = where;
        this.roots = roots;
        this.guard = guard;
        this.processes = processes;
    }

    void run(boolean recursive) throws IOException {
        where.requireEntry("Remove its entries instead");
        if (where.root().file().isPresent()) {
            throw new FileException(
                    Reason.NOT_WRITABLE,
                    where.shown(),
                    where.shown() + " is mounted as a single file, which is not removed. Leave it as it is");
        }
        BasicFileAttributes found = where.existing();
        examineRoots();
        examine(where.shown(), found);
        if (!found.isDirectory()) {
            where.parent().deleteFile(where.name());
            return;
        }
        if (recursive) {
            empty(false);
            empty(true);
        }
        try {
            where.parent().deleteDirectory(where.name());
        } catch (DirectoryNotEmptyException e) {
            String remedy = recursive ? ": something was put in it during the call" : ". Remove it recursively";
            throw new FileException(
                    Reason.NOT_EMPTY, where.shown(), where.shown() + " is a directory that is not empty" + remedy);
        }
    }

    /** Refuses a directory that contains a root, here or on the host; collects the identities of all. */
    private void examineRoots() throws IOException {
        List<String> seen = where.root().seen(where.resolved());
        for (GrantedDirectory root : roots.all()) {
            boolean holds = root.point().size() > seen.size() && GrantedDirectory.startsWith(root.point(), seen);
            if (holds || root.host().startsWith(where.host())) {
                throw holdsRoot();
            }
            Optional<BasicFileAttributes> itself = root.attributes();
            itself.map(BasicFileAttributes::fileKey).ifPresent(keysOfRoots::add);
        }
    }

    private FileException holdsRoot() {
        return new FileException(
                Reason.NOT_EMPTY,
                where.shown(),
                where.shown()
                        + " is or holds a directory or file that is granted by itself, and was not removed. Remove"
                        + " other entries of it by their names");
    }

    private void empty(boolean delete) throws IOException {
        try (Directory top = where.parent().openDirectory(where.name())) {
            examine(where.shown(), top.attributes());
            empty(top, where.resolved(), where.shown(), delete, 1);
        }
    }

    private void empty(Directory directory, List<String> path, String shown, boolean delete, int depth)
            throws IOException {
        if (depth > MAX_DEPTH) {
            throw new FileException(
                    Reason.NOT_EMPTY,
                    where.shown(),
                    where.shown() + " has directories more than " + MAX_DEPTH
                            + " deep. Remove the inner ones first, or use a command");
        }
        for (String name : names(directory)) {
            requireUninterrupted();
            List<String> below = new ArrayList<>(path);
            below.add(name);
            String entry = shown + "/" + name;
            guard.check(where.root(), below, entry);
            Optional<BasicFileAttributes> found = directory.attributes(name);
            if (found.isEmpty()) {
                continue; // removed by something else
            }
            examine(entry, found.get());
            if (found.get().isDirectory()) {
                try (Directory next = directory.openDirectory(name)) {
                    examine(entry, next.attributes());
                    empty(next, below, entry, delete, depth + 1);
                }
            }
            if (delete) {
                delete(directory, name, found.get().isDirectory());
            }
        }
    }

    private List<String> names(Directory directory) throws IOException {
        List<String> names = new ArrayList<>();
        directory.list(name -> {
            requireUninterrupted(); // a command can add entries faster than they are read
            names.add(name);
        });
        return names;
    }

    private void requireUninterrupted() {
        if (Thread.currentThread().isInterrupted()) {
            throw new FileException(
                    Reason.FAILED,
                    where.shown(),
                    "interrupted while " + where.shown() + " was removed. Remove what is left of it again");
        }
    }

    private static void delete(Directory directory, String name, boolean isDirectory) throws IOException {
        try {
            if (isDirectory) {
                directory.deleteDirectory(name);
            } else {
                directory.deleteFile(name);
            }
        } catch (NoSuchFileException gone) {
            // Another program removed it, as requested.
        }
    }

    private void examine(String entry, BasicFileAttributes found) {
        if (found.fileKey() != null && keysOfRoots.contains(found.fileKey())) {
            throw holdsRoot();
        }
        if (processes.hold(where.root().path()) || processes.startAt(found)) {
            throw new FileException(
                    Reason.NOT_READABLE, entry, entry + " shows processes of the machine and is not removed");
        }
    }
}
