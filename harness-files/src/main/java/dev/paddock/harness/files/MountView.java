package dev.paddock.harness.files;

import java.io.IOException;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.NoSuchFileException;
import java.nio.file.ReadOnlyFileSystemException;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFileAttributes;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Shows a directory of a root as commands see it: with the directories on the way to another root that do not exist on
 * the host. Read-only.
 *
 * @param roots all roots
 * @param root the directory's root
 * @param path its path there
 * @param real the directory on the host, owned by this; empty if only commands see it
 */
record MountView(RootSet roots, GrantedDirectory root, List<String> path, Optional<Directory> real)
        implements Directory {

    private static final BasicFileAttributes ON_THE_WAY = new OnTheWay();

    /** Opens the top of a root, without a view if it leads to no other root. */
    static Directory top(RootSet roots, GrantedDirectory root) throws IOException {
        Directory top = root.directory().openDirectory(".");
        return roots.all().size() == 1 ? top : new MountView(roots, root, List.of(), Optional.of(top));
    }

    private List<String> below(String name) {
        List<String> below = new ArrayList<>(path);
        if (!name.equals(".")) {
            below.add(name);
        }
        return below;
    }

    @Override
    public Optional<BasicFileAttributes> attributes(String name) throws IOException {
        Optional<BasicFileAttributes> found = real.isPresent() ? real.get().attributes(name) : Optional.empty();
        return found.isPresent() || !roots.leadsOn(root, below(name)) ? found : Optional.of(ON_THE_WAY);
    }

    @Override
    public BasicFileAttributes attributes() throws IOException {
        return real.isPresent() ? real.get().attributes() : ON_THE_WAY;
    }

    @Override
    public Directory openDirectory(String name) throws IOException {
        Optional<Directory> next = ON_THE_WAY.equals(attributes(name).orElse(null))
                ? Optional.empty()
                : Optional.of(host(name).openDirectory(name));
        return new MountView(roots, root, below(name), next);
    }

    @Override
    public SeekableByteChannel openFile(String name) throws IOException {
        return host(name).openFile(name);
    }

    @Override
    public void list(Consumer<String> names) throws IOException {
        Set<String> onTheWay = new LinkedHashSet<>(roots.onTheWay(root, path));
        if (real.isPresent()) {
            real.get().list(name -> {
                onTheWay.remove(name);
                names.accept(name);
            });
        }
        onTheWay.forEach(names);
    }

    private Directory host(String name) throws IOException {
        return real.orElseThrow(() -> new NoSuchFileException(name));
    }

    @Override
    public void awaitChanges() throws IOException {
        if (real.isPresent()) {
            real.get().awaitChanges();
        }
    }

    @Override
    public void close() throws IOException {
        if (real.isPresent()) {
            real.get().close();
        }
    }

    @Override
    public SeekableByteChannel openToChange(String name) {
        throw new ReadOnlyFileSystemException();
    }

    @Override
    public SeekableByteChannel createFile(String name, boolean ownerOnly) {
        throw new ReadOnlyFileSystemException();
    }

    @Override
    public void move(String from, Directory to, String name) {
        throw new ReadOnlyFileSystemException();
    }

    @Override
    public void deleteFile(String name) {
        throw new ReadOnlyFileSystemException();
    }

    @Override
    public void deleteDirectory(String name) {
        throw new ReadOnlyFileSystemException();
    }

    @Override
    public void copyMode(PosixFileAttributes from, String name) {
        throw new ReadOnlyFileSystemException();
    }

    @Override
    public void copyOwner(PosixFileAttributes from, String name) {
        throw new ReadOnlyFileSystemException();
    }

    /** The attributes of a directory that only commands see: no size, no times. */
    private static final class OnTheWay implements BasicFileAttributes {
        private static final FileTime NEVER = FileTime.from(Instant.EPOCH);

        @Override
        public FileTime lastModifiedTime() {
            return NEVER;
        }

        @Override
        public FileTime lastAccessTime() {
            return NEVER;
        }

        @Override
        public FileTime creationTime() {
            return NEVER;
        }

        @Override
        public boolean isRegularFile() {
            return false;
        }

        @Override
        public boolean isDirectory() {
            return true;
        }

        @Override
        public boolean isSymbolicLink() {
            return false;
        }

        @Override
        public boolean isOther() {
            return false;
        }

        @Override
        public long size() {
            return 0;
        }

        @SuppressWarnings("NullAway") // the interface is not annotated; null means that there is no key
        @Override
        public Object fileKey() {
            return null;
        }
    }
}
