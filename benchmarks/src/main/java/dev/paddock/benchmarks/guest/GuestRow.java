package dev.paddock.benchmarks.guest;

import dev.paddock.benchmarks.row.BenchmarkWorktree;
import dev.paddock.benchmarks.row.Row;
import dev.paddock.harness.bindings.AgentContainer;
import dev.paddock.harness.guest.GuestCode;
import dev.paddock.harness.guest.GuestException;
import dev.paddock.harness.guest.GuestOptions;
import dev.paddock.harness.guest.session.GuestSession;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.function.Function;

/** Evaluates JavaScript's expressions as guest code, in one open session. */
record GuestRow(AgentContainer container, GuestSession guests, Function<String, GuestCode> code) implements Row {
    /** A guest takes some 150 ms to start, and is started 25 ms after one was taken. */
    private static final Duration STARTED = Duration.ofMillis(500);

    /**
     * Opens a session in bubblewrap.
     *
     * @param warm how many guests wait
     * @param code makes a module of an expression
     */
    static GuestRow open(BenchmarkWorktree place, int warm, Function<String, GuestCode> code) {
        AgentContainer container = AgentContainer.builder(place.worktree()).build();
        try {
            GuestOptions options =
                    GuestOptions.standard().backend("bwrap", Map.of()).warm(warm);
            return new GuestRow(container, GuestSession.open(container, options), code);
        } catch (RuntimeException fault) {
            container.close();
            throw fault;
        }
    }

    @Override
    public Times run(String expression) throws IOException {
        GuestCode module = code.apply(expression);
        try {
            long start = System.nanoTime();
            var unused = guests.run(module);
            long taken = System.nanoTime() - start;
            return new Times(taken, taken);
        } catch (GuestException fault) {
            throw new IOException("the guest failed: " + fault.getMessage(), fault);
        }
    }

    @Override
    public Duration settling() {
        return STARTED;
    }

    @Override
    public void close() {
        container.close();
    }
}
