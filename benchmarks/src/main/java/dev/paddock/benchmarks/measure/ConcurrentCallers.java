package dev.paddock.benchmarks.measure;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Calls the same code from several threads at the same time. */
public final class ConcurrentCallers implements AutoCloseable {
    private final ExecutorService threads;

    public ConcurrentCallers(int most) {
        threads = Executors.newFixedThreadPool(most);
    }

    /**
     * Calls the code on the given number of threads, and waits for all calls.
     *
     * @return the results of the calls
     * @throws IOException if a call failed
     */
    public <T> List<T> all(int number, Callable<T> call) throws IOException {
        List<T> made = new ArrayList<>();
        try {
            for (Future<T> done : threads.invokeAll(Collections.nCopies(number, call))) {
                made.add(done.get());
            }
            return made;
        } catch (ExecutionException fault) {
            throw new IOException(Faults.message(fault), fault);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new IOException("stopped", stopped);
        }
    }

    @Override
    public void close() {
        threads.close();
    }
}
