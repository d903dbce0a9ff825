package dev.paddock.executor.worktree;

import dev.paddock.executor.SpawnException;
import dev.paddock.executor.log.LateLogger;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The changes in a worktree that earlier commands of a session, and sessions that were killed, have left
 * unsettled or unreported.
 *
 * <p>Not safe for use by several threads; the guard holds its lock, and the journal for all methods
 * that settle.
 */
final class Leftovers {
    private static final Logger LOG = LateLogger.of(Leftovers.class);

    private final GuardParts parts;

    /** The state that killed sessions have left, until it is settled. */
    private Optional<Unsettled> inherited = Optional.empty();

    /** The notices of settlements without a command, for the next result. */
    private List<String> overdue = List.of();

    private Poison poison = Poison.NONE;

    Leftovers(GuardParts parts) {
        this.parts = parts;
    }

    /** Settles the changes of sessions that were killed. */
    void recover() throws IOException {
        inherited = parts.journal().unsettled(parts.territory());
        inherited.ifPresent(left -> {
            parts.passes().protect(parts.journal().nestedWorktrees());
            parts.store().adopt(left.snapshot().originals(), left.snapshot().states());
            parts.passes().repositories().resume(left.snapshot().closed(), left.since());
            add(settleAgain());
        });
    }

    /**
     * Settles the worktree before a command begins.
     *
     * @throws SpawnException if that fails
     */
    void requireSettled() throws IOException {
        if (!poison.isEmpty() && inherited.isEmpty()) {
            add(settleAgain());
        }
        if (poison.isEmpty() || inherited.isPresent()) {
            poison = Poison.NONE;
            recover();
        }
        requireNoPoison();
    }

    /**
     * Refuses a command in a worktree that could not be settled.
     *
     * @throws SpawnException if a path could not be settled
     */
    void requireNoPoison() {
        if (!poison.isEmpty()) {
            throw new SpawnException(poison.refusal(parts.passes().paths().root()));
        }
    }

    private List<String> settleAgain() {
        List<String> notices = settle(new Evidence(parts.journal(), Set.of(), false));
        notices.forEach(notice -> LOG.log(Level.WARNING, notice));
        if (poison.isEmpty()) {
            parts.journal().settled();
        } else {
            LOG.log(Level.WARNING, poison.notice());
        }
        return notices;
    }

    /** Settles the worktree. Throws nothing. */
    List<String> settle(Evidence evidence) {
        GuardParts.Outcome outcome = parts.settle(evidence, inherited);
        poison = outcome.poison();
        if (poison.isEmpty()) {
            inherited = Optional.empty();
        }
        return outcome.notices();
    }

    /** Poisons the worktree by a fault, and returns the notice. */
    String fail(Throwable fault) {
        poison = Poison.by(parts.passes().paths().root(), fault);
        return poison.notice();
    }

    Poison poison() {
        return poison;
    }

    /** Keeps notices for the next result. */
    void add(Collection<String> notices) {
        Set<String> all = new LinkedHashSet<>(overdue);
        all.addAll(notices);
        overdue = List.copyOf(all);
    }

    /** Returns the notices for the next result, once. */
    List<String> overdue() {
        List<String> notices = new ArrayList<>(overdue);
        overdue = List.of();
        return notices;
    }
}
