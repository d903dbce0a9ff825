package dev.paddock.executor.remote.files;

import dev.paddock.executor.remote.sync.SyncDirectories;
import java.time.Duration;

/**
 * Bounds the files that are fetched after one command, since the command chooses their number and size.
 *
 * @param bytes of files; larger files are named and stay remote
 * @param time from the command's end; files not fetched by then are fetched with the next command
 */
public record FetchLimits(long bytes, Duration time) {
    /** 4 GiB and 10 minutes. */
    public static final FetchLimits STANDARD =
            new FetchLimits(SyncDirectories.MAX_FETCH, SyncDirectories.FETCH_TIMEOUT);

    public FetchLimits {
        if (bytes < 0) {
            throw new IllegalArgumentException("maxFetch must not be negative: " + bytes);
        }
        if (!time.isPositive()) {
            throw new IllegalArgumentException("fetchTimeout must be more than zero, not " + time);
        }
    }

    public FetchLimits withBytes(long most) {
        return new FetchLimits(most, time);
    }

    public FetchLimits withTime(Duration most) {
        return new FetchLimits(bytes, most);
    }
}
