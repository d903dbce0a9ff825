package dev.paddock.harness.tools.output;

import dev.paddock.executor.path.FileFaults;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the last bytes of an output that may continue for days, in two files of half the allowed size: a full newer
 * file becomes the older one, and the previous older one is deleted. Never throws: counts bytes that a full disk
 * rejects, and resumes when there is space again. Creates no file before there is something to write.
 */
final class RollingLog {
    private final LogDirectory logs;
    private final String stem;
    private final long fileBytes;
    private @Nullable LogFile newer;
    private @Nullable LogFile older;
    private long start;
    private long newerStart;
    private long total;
    private Optional<String> failure = Optional.empty();

    RollingLog(LogDirectory logs, String stem) {
        this.logs = logs;
        this.stem = stem;
        fileBytes = logs.capBytes() / 2;
    }

    /** Returns how many bytes precede the first retained one. */
    long start() {
        return start;
    }

    void append(byte[] block, int length) {
        int from = 0;
        while (from < length) {
            int piece = (int) Math.min(length - from, fileBytes - (total - newerStart));
            if (piece > 0) {
                write(block, from, piece);
                from += piece;
            } else if (fileBytes > 0) {
                roll();
            } else {
                lose(length - from);
                return;
            }
        }
    }

    private void write(byte[] block, int from, int length) {
        try {
            LogFile file = newer;
            if (file == null) {
                file = logs.create(stem);
                newer = file;
            }
            logs.budget().take(length);
            file.append(block, from, length);
            total += length;
        } catch (IOException fault) {
            failure = Optional.of(FileFaults.reason(fault));
            lose(length);
        }
    }

    private void roll() {
        LogFile full = newer;
        if (full == null) {
            return;
        }
        try {
            close(older);
            Path place = full.path().resolveSibling(full.path().getFileName() + ".older");
            Files.move(full.path(), place, StandardCopyOption.REPLACE_EXISTING);
            logs.budget().giveBack(newerStart - start); // the older file, which was replaced
            older = new LogFile(place, full.channel());
            start = newerStart;
            newerStart = total;
            newer = LogDirectory.create(full.path());
        } catch (IOException fault) {
            failure = Optional.of(FileFaults.reason(fault));
            lose(0);
        }
    }

    /** Counts lost bytes and restarts: the retained bytes would not be contiguous. */
    private void lose(int length) {
        logs.budget().giveBack(total - newerStart);
        total += length;
        start = total;
        newerStart = total;
        close(older);
        older = null;
        try {
            if (newer != null) {
                newer.channel().truncate(0);
            }
        } catch (IOException fault) {
            close(newer);
            newer = null;
        }
    }

    /**
     * Reads a range of the retained bytes; returns an empty array if they can no longer be read.
     */
    byte[] bytes(long from, long to) {
        byte[] bytes = new byte[(int) (to - from)];
        ByteBuffer target = ByteBuffer.wrap(bytes);
        try {
            if (from < newerStart && older != null) {
                target.limit((int) (Math.min(to, newerStart) - from));
                older.read(from - start, target);
            }
            target.limit(bytes.length);
            if (target.hasRemaining() && newer != null) {
                newer.read(from + target.position() - newerStart, target);
            }
            return bytes;
        } catch (IOException fault) {
            failure = Optional.of(FileFaults.reason(fault));
            lose(0);
            return new byte[0];
        }
    }

    LogState state() {
        List<Path> files = Stream.of(Optional.ofNullable(older), Optional.ofNullable(newer))
                .flatMap(Optional::stream)
                .map(LogFile::path)
                .toList();
        return new LogState(files, start, total - start, total, failure);
    }

    void close() {
        close(older);
        close(newer);
    }

    private void close(@Nullable LogFile file) {
        try {
            if (file != null) {
                file.close();
            }
        } catch (IOException fault) {
            failure = Optional.of(FileFaults.reason(fault));
        }
    }
}
