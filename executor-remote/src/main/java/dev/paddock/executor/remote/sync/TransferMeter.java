package dev.paddock.executor.remote.sync;

import dev.paddock.executor.Progress;
import java.time.Duration;
import java.util.OptionalDouble;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Reports the progress of a transfer, a few times a second and every few mebibytes. */
final class TransferMeter {
    private static final long PROGRESS_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
    private static final long PROGRESS_BYTES = 4 << 20;

    private final String task;
    private final Consumer<Progress> progress;
    private final int files;
    private final long total;
    private final long quietUntil;
    private long bytes;
    private long reported;
    private int count;
    private long last;

    /**
     * Begins a transfer.
     *
     * @param quiet reports nothing before it has passed
     * @param total the bytes of all files
     */
    TransferMeter(String task, Consumer<Progress> progress, Duration quiet, int files, long total) {
        this.task = task;
        this.progress = progress;
        this.files = files;
        this.total = total;
        this.last = System.nanoTime();
        this.quietUntil = last + quiet.toNanos();
    }

    /** Counts a transferred file. */
    void add(long size) {
        bytes += size;
        count++;
        long now = System.nanoTime();
        if (now - quietUntil >= 0 && (now - last >= PROGRESS_NANOS || bytes - reported >= PROGRESS_BYTES)) {
            last = now;
            reported = bytes;
            progress.accept(Progress.of(
                    task,
                    total == 0 ? OptionalDouble.empty() : OptionalDouble.of(Math.min(1.0, (double) bytes / total)),
                    count + " of " + files + " files, " + (bytes >> 20) + " of " + (total >> 20) + " MiB"));
        }
    }
}
