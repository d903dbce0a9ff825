package dev.paddock.benchmarks.measure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Waits for the moment at which a sample may start: what the one before it has set going, the next slot above all, is
 * done, and nobody else wants a processor.
 */
final class QuiescenceWait {
    private static final Path STATE = Path.of("/proc/stat");
    private static final String RUNNING = "procs_running ";

    private static final long BETWEEN_LOOKS_NANOS = TimeUnit.MILLISECONDS.toNanos(2);
    private static final int LOOKS_IN_A_ROW = 3;
    private static final long PATIENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(60);

    private int waits;
    private int noisy;

    /**
     * Waits, for 60 ms more at most.
     *
     * @param settling how long in any case
     */
    void await(Duration settling) {
        LockSupport.parkNanos(settling.toNanos());
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        waits++;
        for (int still = 0; still < LOOKS_IN_A_ROW; still = isQuiet() ? still + 1 : 0) {
            if (System.nanoTime() - deadline > 0) {
                noisy++;
                return;
            }
            LockSupport.parkNanos(BETWEEN_LOOKS_NANOS);
        }
    }

    /** Which part of the samples began while somebody else was running; 0 to 1. */
    double noise() {
        return waits == 0 ? 0 : (double) noisy / waits;
    }

    /** Whoever looks is running, too. Where there is nothing to look at, every moment passes for quiet. */
    private static boolean isQuiet() {
        try {
            return Files.readAllLines(STATE).stream()
                    .filter(line -> line.startsWith(RUNNING))
                    .allMatch(line -> Integer.parseInt(line.substring(RUNNING.length())) <= 1);
        } catch (IOException absent) {
            return true;
        }
    }
}
