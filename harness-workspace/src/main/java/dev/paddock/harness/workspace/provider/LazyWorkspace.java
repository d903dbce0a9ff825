package dev.paddock.harness.workspace.provider;

import dev.paddock.harness.workspace.provider.WorkspaceStatus.State;
import dev.paddock.harness.workspace.support.SharedCall;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A workspace of a {@link WorkspaceRegistry}, opened or resolved by its first use, and resolved again by the first use
 * after a suspension. Opening, suspending and closing are serialized. Thread-safe.
 *
 * @since 0.1
 */
public final class LazyWorkspace {
    private final String kind;
    private final Function<Optional<WorkspaceRef>, Workspace> opening;
    private final Consumer<WorkspaceRef> removal;
    private final SharedCall<Workspace> opens = new SharedCall<>();
    private final SharedCall<State> closes = new SharedCall<>();
    private final ReentrantLock turn = new ReentrantLock();
    private WorkspaceStatus status;
    private Optional<Workspace> open = Optional.empty();

    /**
     * Creates a workspace.
     *
     * @param ref the reference; empty for a new workspace
     * @param opening opens a new workspace, or resolves a reference
     * @param removal removes a workspace that is not open
     */
    LazyWorkspace(
            String kind,
            Optional<WorkspaceRef> ref,
            Function<Optional<WorkspaceRef>, Workspace> opening,
            Consumer<WorkspaceRef> removal) {
        this.kind = kind;
        this.opening = opening;
        this.removal = removal;
        status = new WorkspaceStatus(kind, State.UNOPENED, ref, Optional.empty());
    }

    /**
     * Returns the workspace; opens or resolves it if it is not open. Concurrent callers share one
     * attempt. Waits up to the registry's bounds; an interrupt ends the wait.
     *
     * @return the workspace, which this object suspends or closes
     * @throws WorkspaceEvictedException if it no longer exists
     * @throws WorkspaceFailedException if it could not be opened or resolved; the next call tries
     *     again
     */
    public Workspace get() {
        Optional<Workspace> now = current();
        return now.isPresent() ? now.get() : shared(opens, () -> current().orElseGet(this::begin));
    }

    private synchronized Optional<Workspace> current() {
        return open;
    }

    private Workspace begin() {
        Optional<WorkspaceRef> known;
        synchronized (this) {
            if (status.state() == State.GONE) {
                throw new WorkspaceEvictedException();
            }
            become(State.OPENING, Optional.empty());
            known = status.ref();
        }
        try {
            Workspace opened = opening.apply(known);
            synchronized (this) {
                open = Optional.of(opened);
                status = new WorkspaceStatus(kind, State.OPEN, Optional.of(opened.ref()), Optional.empty());
            }
            return opened;
        } catch (RuntimeException | Error fault) {
            become(fault instanceof WorkspaceEvictedException ? State.GONE : State.FAILED, message(fault));
            throw fault;
        }
    }

    private synchronized void become(State state, Optional<String> error) {
        status = new WorkspaceStatus(kind, state, status.ref(), error);
    }

    private static Optional<String> message(Throwable fault) {
        return Optional.of(String.valueOf(fault.getMessage()));
    }

    /** {@return the reference; empty if the workspace is new and has not been opened} */
    public Optional<WorkspaceRef> ref() {
        return status().ref();
    }

    /** {@return the current state} */
    public synchronized WorkspaceStatus status() {
        return status;
    }

    /**
     * Suspends the workspace if it is open. Waits for an attempt to open it.
     *
     * @throws WorkspaceFailedException as {@link Workspace#suspend} does
     */
    public void suspend() {
        inTurn(() -> {
            Optional<Workspace> opened = current();
            opened.ifPresent(Workspace::suspend);
            return opened.isPresent() ? ended(State.SUSPENDED) : status().state();
        });
    }

    /**
     * Closes the workspace: ends it if it is open, and removes its files and snapshots, also if it is
     * suspended or has not been used yet. {@link #get} then throws a {@link
     * WorkspaceEvictedException}. Waits for an attempt to open it. Concurrent callers share one
     * attempt, and a failed one may be repeated. Does nothing if the workspace no longer exists.
     *
     * @throws WorkspaceFailedException as {@link Workspace#close} and {@link
     *     WorkspaceProvider#remove} do
     */
    public void close() {
        shared(closes, this::remove);
    }

    private State remove() {
        WorkspaceStatus before = status();
        if (before.state() == State.GONE) {
            return State.GONE;
        }
        try {
            Optional<Workspace> opened = current();
            if (opened.isPresent()) {
                opened.get().close();
            } else {
                before.ref().ifPresent(removal);
            }
        } catch (WorkspaceFailedException fault) {
            become(before.state(), message(fault));
            throw fault;
        } catch (WorkspaceEvictedException gone) {
            return ended(State.GONE); // already removed by another caller
        }
        return ended(State.GONE);
    }

    private synchronized State ended(State state) {
        open = Optional.empty();
        become(state, Optional.empty());
        return state;
    }

    private <T> T shared(SharedCall<T> calls, Supplier<T> step) {
        try {
            return calls.call(() -> inTurn(step));
        } catch (InterruptedException interrupt) {
            throw interrupted();
        }
    }

    private <T> T inTurn(Supplier<T> step) {
        try {
            turn.lockInterruptibly();
        } catch (InterruptedException interrupt) {
            throw interrupted();
        }
        try {
            return step.get();
        } finally {
            turn.unlock();
        }
    }

    private static WorkspaceFailedException interrupted() {
        Thread.currentThread().interrupt();
        return WorkspaceFailedException.passing("interrupted while the workspace was being opened or ended");
    }
}
