package dev.paddock.cli.workspace;

import dev.paddock.cli.terminal.Console;
import dev.paddock.executor.Progress;
import java.io.IOException;
import java.util.OptionalDouble;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Shows the elapsed time of a copy after its first second. */
final class Waiting {
    private Waiting() {}

    @FunctionalInterface
    interface Copy<T> {
        T make() throws IOException;
    }

    /**
     * Creates a copy.
     *
     * @param task what is being done, for people
     */
    static <T> T during(String task, Console console, Copy<T> copy) throws IOException {
        CountDownLatch done = new CountDownLatch(1);
        Thread clock = new Thread(() -> tick(task, console, done), "paddock-progress");
        clock.setDaemon(true);
        clock.start();
        try {
            return copy.make();
        } finally {
            done.countDown();
            join(clock);
            console.progress().clear();
        }
    }

    private static void tick(String task, Console console, CountDownLatch done) {
        try {
            for (long seconds = 1; !done.await(1, TimeUnit.SECONDS); seconds++) {
                console.progress().accept(Progress.of(task, OptionalDouble.empty(), seconds + " s"));
            }
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }

    private static void join(Thread clock) {
        try {
            clock.join();
        } catch (InterruptedException unexpected) {
            Thread.currentThread().interrupt();
        }
    }
}
