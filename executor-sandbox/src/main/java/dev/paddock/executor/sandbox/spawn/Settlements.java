package dev.paddock.executor.sandbox.spawn;

import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.log.LateLogger;
import dev.paddock.executor.worktree.WorktreeGuard;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Settles the worktree once after each command of one spawner, and tracks the unsettled commands, whose processes still
 * run or survive SIGKILL.
 */
final class Settlements {
    private static final System.Logger LOG = LateLogger.of(Settlements.class);

    private final String name;
    private final Runnable endAll;
    private final Set<Entry> pending = ConcurrentHashMap.newKeySet();

    /** Notices that no command's report contains yet. */
    private final Queue<Postponed> postponed = new ConcurrentLinkedQueue<>();

    /**
     * A notice for a later report.
     *
     * @param bySurvivors whether it concerns processes that have outlived their command
     */
    private record Postponed(String notice, boolean bySurvivors) {}

    /**
     * Creates an empty tracker.
     *
     * @param name the backend's name, for messages
     * @param endAll ends every command, if one of them prevents a settlement
     */
    Settlements(String name, Runnable endAll) {
        this.name = name;
        this.endAll = endAll;
    }

    /**
     * Adds a command; the caller settles it.
     *
     * @param processes describes its processes
     * @param observed returns what it was denied
     */
    CommandSettlement add(
            Optional<WorktreeGuard.Command> guarded, Supplier<String> processes, Supplier<List<String>> observed) {
        Entry entry = new Entry(guarded, processes, observed);
        if (guarded.isPresent()) {
            pending.add(entry);
        }
        return entry;
    }

    static boolean mustEndAll(Optional<WorktreeGuard.Command> guarded) {
        return guarded.filter(WorktreeGuard.Command::mustEndAll).isPresent();
    }

    /** Logs notices, including those that a later report contains. */
    static void log(List<String> notices) {
        notices.forEach(notice -> LOG.log(Level.WARNING, notice));
    }

    private final class Entry implements CommandSettlement {
        private final Optional<WorktreeGuard.Command> guarded;
        private final CompletableFuture<Boolean> done = new CompletableFuture<>();
        private final Supplier<String> processes;
        private final AtomicReference<Supplier<List<String>>> observed;
        private volatile Optional<String> survivors = Optional.empty();

        Entry(Optional<WorktreeGuard.Command> guarded, Supplier<String> processes, Supplier<List<String>> observed) {
            this.observed = new AtomicReference<>(observed);
            this.guarded = guarded;
            this.processes = processes;
        }

        @Override
        public List<String> examine(String left) {
            survivors = Optional.of(left);
            return with(guarded.map(WorktreeGuard.Command::examine).orElse(List.of()));
        }

        @Override
        public List<String> settle() {
            return with(guarded.map(WorktreeGuard.Command::settle).orElse(List.of()));
        }

        @Override
        public void close() {
            pending.remove(this);
            done.complete(true);
        }

        /** Adds the notices about other commands; ends every command if one of them prevents the settlement. */
        private List<String> with(List<String> own) {
            if (mustEndAll(guarded)) {
                endAll.run();
            }
            List<String> notices = new ArrayList<>();
            for (Postponed late = postponed.poll(); late != null; late = postponed.poll()) {
                notices.add("After an earlier command: " + late.notice());
            }
            notices.addAll(own);
            notices.addAll(observed.getAndSet(List::of).get()); // once, not again for survivors
            pending.stream()
                    .filter(other -> other != this)
                    .flatMap(other -> other.survivors.stream())
                    .forEach(left -> notices.add(survived(left)));
            return notices;
        }

        private static String survived(String left) {
            return "Processes of an earlier command are held by the kernel (" + left
                    + "). While they live, the worktree"
                    + " is not safe for programs of the host; it is examined after each command, and again when they"
                    + " have ended.";
        }

        @Override
        public void postpone(List<String> notices) {
            log(notices);
            notices.forEach(notice -> postponed.add(new Postponed(notice, survivors.isPresent())));
        }
    }

    /**
     * Waits until every command has settled.
     *
     * @param unended why processes may be left, if the backend gave a reason
     * @throws ExecutorException if some have not, or a settlement had something to report after the last report
     */
    void await(Duration bound, Optional<RuntimeException> unended) {
        List<Entry> open = List.copyOf(pending);
        if (open.isEmpty()) {
            requireSettled(open, unended);
            return;
        }
        try {
            CompletableFuture.allOf(open.stream().map(entry -> entry.done).toArray(CompletableFuture<?>[]::new))
                    .get(bound.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException late) {
            LOG.log(Level.DEBUG, "The last commands have not settled", late);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
        requireSettled(open.stream().filter(entry -> !entry.done.isDone()).toList(), unended);
    }

    private void requireSettled(List<Entry> left, Optional<RuntimeException> unended) {
        String survivors = left.stream()
                .map(entry -> entry.survivors.orElseGet(entry.processes))
                .collect(Collectors.joining("; "));
        String unreported = postponed.stream()
                .filter(Postponed::bySurvivors)
                .map(Postponed::notice)
                .collect(Collectors.joining(" "));
        if (!left.isEmpty()) {
            String cause = unended.map(fault -> "The reason: " + fault.getMessage())
                    .orElse("The kernel holds them, most likely in a file system that does not answer");
            throw new ExecutorException("the " + name + " executor was disposed of, but the worktree is not settled,"
                    + " since these have not ended: " + survivors + ". " + cause + ". The worktree is settled when they"
                    + " have ended, while this program runs, or else by the next session there; until then, use neither"
                    + " git nor an editor in it." + (unreported.isEmpty() ? "" : " ") + unreported);
        }
        if (!unreported.isEmpty()) {
            throw new ExecutorException("the " + name + " executor was disposed of, and its last settlement has a"
                    + " report that no command's result contains: " + unreported);
        }
    }
}
