package dev.paddock.benchmarks.measure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Waits until a sample may start: the work that the sample before it started is done, above all the
 * next warm slot, and no other process wants a processor.
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
     * Waits for the settling time, and then at most 60 ms more.
     *
     * @param settling the minimum wait
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

    /** Returns the share of samples that began while another process was running; 0 to 1. */
    double noise() {
        return waits == 0 ? 0 : (double) noisy / waits;
    }

    /**
     * Returns whether no other process is running; the thread that checks is running, too. Where
     * the system has no such count, every moment counts as quiet.
     */
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
