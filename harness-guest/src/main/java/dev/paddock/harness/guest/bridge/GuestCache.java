package dev.paddock.harness.guest.bridge;

import dev.paddock.executor.caller.CallerEnvironment;
import dev.paddock.executor.log.LateLogger;
import dev.paddock.executor.path.FileFaults;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.Set;

/**
 * The user's directory for files of guests that outlive a session: the engines, their class caches and transpiled
 * modules. It is {@code $XDG_CACHE_HOME/paddock/guest}, by default below {@code ~/.cache}. It may be removed while no
 * guest runs.
 */
public final class GuestCache {
    private static final Logger LOG = LateLogger.of(GuestCache.class);
    private static final Set<PosixFilePermission> OWN_ALONE = PosixFilePermissions.fromString("rwx------");

    private GuestCache() {}

    /**
     * Returns the directory, and creates it if it does not exist.
     *
     * @return its real path; empty if it cannot be created or others may write to it
     */
    public static Optional<Path> directory() {
        try {
            return Optional.of(makePrivate(home().resolve("paddock").resolve("guest")));
        } catch (IOException unusable) {
            LOG.log(
                    Level.WARNING,
                    "guests start more slowly, since their cache cannot be used: " + FileFaults.reason(unusable));
            return Optional.empty();
        }
    }

    private static Path home() throws IOException {
        String set = CallerEnvironment.variables().getOrDefault("XDG_CACHE_HOME", "");
        // The XDG base directory specification: ignore a path that is not absolute.
        Path home = Path.of(set).isAbsolute() ? Path.of(set) : Path.of(System.getProperty("user.home", ""), ".cache");
        if (!home.isAbsolute()) {
            throw new IOException("there is no home directory; set XDG_CACHE_HOME");
        }
        return home;
    }

    /** Creates a directory, or checks an existing one: another user's could contain a forged engine. */
    static Path makePrivate(Path directory) throws IOException {
        FileAttribute<Set<PosixFilePermission>> own = PosixFilePermissions.asFileAttribute(OWN_ALONE);
        Files.createDirectories(directory, own);
        if (!Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
            throw new IOException("'" + directory + "' is a link; remove it");
        }
        Path real = directory.toRealPath();
        Path probe = Files.createTempFile(real, "probe-", "");
        try {
            if (!Files.getOwner(probe).equals(Files.getOwner(real))) {
                throw new IOException("'" + directory + "' belongs to another user; remove it");
            }
        } finally {
            Files.delete(probe);
        }
        Files.setPosixFilePermissions(real, OWN_ALONE);
        return real;
    }
}
