package dev.paddock.executor.worktree;

import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.SpawnException;
import dev.paddock.executor.path.FileFaults;
import dev.paddock.executor.path.PathBytes;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Guards other worktrees with sessions: those that commands can write to through a mount, while this session is open,
 * and enclosing ones in which a session was killed, until they are settled.
 *
 * <p>Call all methods while no journal is locked, since each guard locks its own.
 */
final class NeighbourGuards implements AutoCloseable {
    private final Journals journals;
    private final List<Path> roots;
    private final List<Path> mounts;
    private final Opener opener;
    private final Map<Path, Neighbour> guards = new TreeMap<>();
    private final List<SessionContainer> containers = new ArrayList<>();

    /** Opens a guard with the settings of this session. */
    interface Opener {
        WorktreeGuard open(Path root) throws IOException;
    }

    private record Neighbour(WorktreeGuard guard, List<WorktreeGuard.Command> live) {}

    /**
     * Creates an empty set.
     *
     * @param roots the directories that this session guards
     * @param mounts the other directories and files that its commands can write to
     */
    NeighbourGuards(Journals journals, List<Path> roots, List<Path> mounts, Opener opener) {
        this.journals = journals;
        this.roots = roots;
        this.mounts = mounts;
        this.opener = opener;
    }

    /**
     * Begins commands in the worktrees that a mount reaches and that have a session.
     *
     * @throws SpawnException if one of them cannot be guarded, or is poisoned
     */
    void begin() {
        try {
            beginAll();
        } catch (IOException fault) {
            throw new SpawnException("no command is started: " + fault.getMessage(), fault);
        }
    }

    private void beginAll() throws IOException {
        for (Path root : mounted()) {
            if (!guards.containsKey(root)) {
                WorktreeGuard guard = open(root);
                guards.put(root, new Neighbour(guard, new ArrayList<>()));
                containers.forEach(guard::runsIn);
            }
        }
        for (Neighbour neighbour : guards.values()) {
            if (neighbour.live().isEmpty()) {
                neighbour.live().add(neighbour.guard().begin(ProtectionPlan.NONE));
            }
        }
    }

    private WorktreeGuard open(Path root) throws IOException {
        try {
            return opener.open(root);
        } catch (IOException | ExecutorException | IllegalArgumentException fault) {
            throw new IOException(
                    "a mount reaches the worktree '" + PathBytes.escaped(root)
                            + "' of another session, which cannot be guarded: " + reason(fault),
                    fault);
        }
    }

    private static String reason(Exception fault) {
        return fault instanceof IOException io ? FileFaults.reason(io) : String.valueOf(fault.getMessage());
    }

    private Set<Path> mounted() throws IOException {
        Set<Path> found = new TreeSet<>(guards.keySet());
        if (!mounts.isEmpty()) {
            for (Path guarded : journals.guarded().values()) {
                if (roots.stream().noneMatch(guarded::startsWith)
                        && mounts.stream().anyMatch(mount -> overlap(mount, guarded))) {
                    found.add(Journals.worktree(guarded));
                }
            }
        }
        return found;
    }

    private static boolean overlap(Path one, Path other) {
        return one.startsWith(other) || other.startsWith(one);
    }

    /**
     * Settles the worktrees.
     *
     * @param last whether no command of this session is live any more
     */
    List<String> settle(boolean last) {
        List<String> notices = new ArrayList<>();
        for (Neighbour neighbour : guards.values()) {
            neighbour.live().forEach(command -> notices.addAll(last ? command.settle() : command.examine()));
            if (last) {
                neighbour.live().clear();
            }
        }
        if (!last) {
            try {
                beginAll();
            } catch (IOException | SpawnException fault) {
                notices.add("Commands that are still running may plant files that host programs run: "
                        + fault.getMessage() + ".");
            }
        }
        return notices;
    }

    /** Returns whether a live command prevents one of the worktrees from being settled. */
    boolean mustEndAll() {
        return guards.values().stream()
                .flatMap(neighbour -> neighbour.live().stream())
                .anyMatch(WorktreeGuard.Command::mustEndAll);
    }

    /**
     * Settles an enclosing directory in which a session was killed.
     *
     * @param killed its journal
     * @throws SpawnException if it cannot be settled
     */
    List<String> settle(DirectoryJournal killed) throws IOException {
        try (WorktreeGuard guard = opener.open(Journals.worktree(killed.guarded()))) {
            return guard.settledAtOpening();
        } catch (IOException | ExecutorException | IllegalArgumentException fault) {
            if (fault instanceof SpawnException refusal) {
                throw refusal;
            }
            throw new IOException(
                    "a session was killed in '" + PathBytes.escaped(killed.guarded())
                            + "', which contains this worktree, and its changes cannot be undone ("
                            + reason(fault) + "): examine its git configuration and hooks, and remove the journal '"
                            + killed.directory() + "'",
                    fault);
        }
    }

    void runsIn(SessionContainer container) {
        containers.add(container);
        guards.values().forEach(neighbour -> neighbour.guard().runsIn(container));
    }

    @Override
    public void close() {
        guards.values().forEach(neighbour -> neighbour.guard().close());
        guards.clear();
    }
}
