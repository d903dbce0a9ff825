package dev.paddock.executor.config.grant;

import dev.paddock.executor.os.file.Pinned;
import dev.paddock.executor.os.file.TreeRemoval;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Creates Paddock's cache directories, which commands write to. Nothing on the host writes to an existing cache: a
 * command may have put a link to a user's file there.
 *
 * @param home the directory that contains Paddock's caches; nobody but the user writes there
 */
record CacheDirectory(Path home) {
    /** The data of all seeds of a cache, without holes: a copy must not fill the disk. */
    static final long MAX_BYTES = 32L << 30;

    private static final FileAttribute<Set<PosixFilePermission>> OWN =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

    /**
     * Creates a cache, unless it exists.
     *
     * @param cache the cache, below the home
     * @param seeds directories to copy, by their paths in the cache
     */
    void make(Path cache, Map<String, Path> seeds) throws IOException {
        make(cache, seeds, MAX_BYTES);
    }

    void make(Path cache, Map<String, Path> seeds, long mostBytes) throws IOException {
        makeOwn(parent(cache));
        if (Files.exists(cache, LinkOption.NOFOLLOW_LINKS)) {
            requireOwn(cache);
            requireOpen(cache);
            return;
        }
        if (seeds.isEmpty()) {
            makeOwn(cache);
            return;
        }
        Path unfinished = Files.createTempDirectory(parent(cache), ".new-", OWN);
        try {
            SeedCopy copies = SeedCopy.upTo(mostBytes);
            for (Map.Entry<String, Path> seed : seeds.entrySet()) {
                if (isDirectory(seed.getValue())) {
                    Path real = seed.getValue().toRealPath();
                    try (Pinned from = Pinned.directory(real, real)) {
                        copies.copy(from, real, unfinished.resolve(seed.getKey()));
                    }
                }
            }
            move(unfinished, cache);
        } finally {
            TreeRemoval.remove(unfinished);
        }
    }

    /** Creates a directory and its parents, up to the home, which only the user may write to. */
    void makeOwn(Path directory) throws IOException {
        Files.createDirectories(parent(home));
        Path at = home;
        makeOne(at);
        for (Path name : home.relativize(directory)) {
            at = at.resolve(name);
            makeOne(at);
        }
    }

    private static void makeOne(Path directory) throws IOException {
        try {
            Files.createDirectory(directory, OWN);
        } catch (FileAlreadyExistsException there) {
            requireOwn(directory);
        }
    }

    private static void requireOwn(Path directory) throws IOException {
        if (!Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
            throw new IOException("'" + directory + "' is no directory; remove it");
        }
        Path process = Path.of("/proc/self");
        if (Files.exists(process) && !Files.getOwner(directory).equals(Files.getOwner(process))) {
            throw new IOException("'" + directory + "' belongs to another user; remove it");
        }
    }

    /** Fails for a cache whose mode a command has changed. */
    private static void requireOpen(Path cache) throws IOException {
        if (!SeedCopy.isOpen(cache) || !Files.isWritable(cache)) {
            throw new IOException("its mode closes it to you: chmod u+rwx it, or remove it");
        }
    }

    /** Returns whether there is a directory; throws if the user may not read it. */
    private static boolean isDirectory(Path seed) throws IOException {
        try {
            return Files.readAttributes(seed, BasicFileAttributes.class).isDirectory();
        } catch (AccessDeniedException closed) {
            throw closed;
        } catch (IOException absent) {
            return false;
        }
    }

    /** Renames the cache into place, unless another program has created it meanwhile: its copy is as good. */
    private static void move(Path unfinished, Path cache) throws IOException {
        try {
            Files.move(unfinished, cache, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException fault) {
            if (!Files.exists(cache, LinkOption.NOFOLLOW_LINKS)) {
                throw fault;
            }
            requireOwn(cache);
        }
    }

    private static Path parent(Path path) {
        @Nullable Path parent = path.getParent();
        if (parent == null) {
            throw new IllegalArgumentException("'" + path + "' has no parent directory");
        }
        return parent;
    }
}
