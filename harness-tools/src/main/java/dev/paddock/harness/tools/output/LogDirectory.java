package dev.paddock.harness.tools.output;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/** Creates the log files of a session: readable only by their owner, with limits for each and for all together. */
public final class LogDirectory {
    private static final boolean POSIX =
            FileSystems.getDefault().supportedFileAttributeViews().contains("posix");

    /** The total size limit of a session's logs, unless the limit of a single log is larger. */
    private static final long SUM_BYTES = 4L << 30;

    private final Path directory;
    private final long capBytes;
    private final LogBudget budget;
    private final AtomicInteger lastNumber = new AtomicInteger();

    /**
     * Names the directory for the log files, and creates nothing.
     *
     * @param directory where the files go; created with the first one, accessible only to its owner
     * @param capBytes the maximum size of one log
     */
    public LogDirectory(Path directory, long capBytes) {
        this.directory = directory;
        this.capBytes = capBytes;
        this.budget = new LogBudget(directory, Math.max(SUM_BYTES, capBytes));
    }

    /** Returns the budget that all logs share. */
    LogBudget budget() {
        return budget;
    }

    /**
     * Returns the maximum size of a log.
     *
     * @return bytes
     */
    public long capBytes() {
        return capBytes;
    }

    /** Creates a new file; skips numbers that an earlier run of the session has used. */
    LogFile create(String stem) throws IOException {
        Files.createDirectories(directory, ownerOnly("rwx------"));
        Path file = next(stem);
        while (Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            file = next(stem);
        }
        return create(file);
    }

    /** Creates a file that must not exist. */
    static LogFile create(Path file) throws IOException {
        Set<OpenOption> options = Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        return new LogFile(file, FileChannel.open(file, options, ownerOnly("rw-------")));
    }

    private Path next(String stem) {
        return directory.resolve(stem + "-" + lastNumber.incrementAndGet() + ".log");
    }

    private static FileAttribute<?>[] ownerOnly(String permissions) {
        if (!POSIX) {
            return new FileAttribute<?>[0];
        }
        Set<PosixFilePermission> set = PosixFilePermissions.fromString(permissions);
        return new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(set)};
    }
}
