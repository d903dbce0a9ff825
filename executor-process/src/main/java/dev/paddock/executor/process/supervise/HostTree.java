package dev.paddock.executor.process.supervise;

import dev.paddock.executor.Signal;
import dev.paddock.executor.os.table.ProcessTable;
import dev.paddock.executor.process.launch.ChildProcess;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Finds and signals a command's processes without a cgroup or a PID namespace: by the session and process group that
 * the main process leads, the parent chain, and the marker in their environment.
 *
 * <p>A process once found stays a member even if it leaves the session, the group and the parent chain. Pid and start
 * time identify a process; the main process's pid cannot be reused, since it is not reaped before the tree has ended.
 */
final class HostTree implements ProcessTree {
    private static final int MAX_PASSES = 50;
    private static final long BOUND_NANOS = TimeUnit.MILLISECONDS.toNanos(1500);

    private final ChildProcess main;
    private final String marker;
    private final ProcessTable table;
    private final Object point;
    private final Set<ProcessTable.Identity> known = new HashSet<>();
    private OptionalLong mainStarted = OptionalLong.empty();

    /**
     * Creates a tree.
     *
     * @param point a point before the main process started another process
     */
    HostTree(ChildProcess main, String marker, ProcessTable table, Object point) {
        this.main = main;
        this.marker = marker;
        this.table = table;
        this.point = point;
    }

    @Override
    public synchronized boolean signal(Signal signal) {
        return signal.equals(Signal.KILL) ? kill() : signalOnce(signal);
    }

    private boolean signalOnce(Signal signal) {
        List<ProcessTable.Row> members = members();
        boolean reached = signalMain(signal);
        for (ProcessTable.Row member : members) {
            reached |= isInGroup(member) || ExactSignal.send(table, member, signal);
        }
        return reached;
    }

    private boolean kill() {
        long start = System.nanoTime();
        boolean reached = signalMain(Signal.KILL);
        Set<ProcessTable.Identity> done = new HashSet<>();
        for (int pass = 0; pass < MAX_PASSES && System.nanoTime() - start < BOUND_NANOS; pass++) {
            boolean found = false;
            for (ProcessTable.Row member : members()) {
                boolean inGroup = isInGroup(member);
                if (done.add(member.identity()) && !inGroup) {
                    found |= ExactSignal.send(table, member, Signal.KILL);
                }
                reached |= inGroup;
            }
            reached |= found;
            if (!found) {
                break;
            }
            if (main.leadsSession()) {
                main.signalGroup(Signal.KILL);
            }
        }
        return reached;
    }

    /**
     * Signals the main process with its group; returns whether the main process existed. It receives SIGKILL before the
     * group: the kernel kills the youngest first, and the main process would react to the exit of a child.
     */
    private boolean signalMain(Signal signal) {
        boolean live = !main.hasEnded();
        if (live && main.leadsSession() && signal.equals(Signal.KILL)) {
            boolean unused = main.signal(signal);
        }
        boolean reached = main.leadsSession() ? main.signalGroup(signal) : live && main.signal(signal);
        return live && reached; // the kernel counts a zombie, too
    }

    private boolean isInGroup(ProcessTable.Row member) {
        return main.leadsSession() && member.group() == main.pid();
    }

    @Override
    public synchronized Optional<Set<Long>> leftovers() {
        Set<Long> pids = new HashSet<>();
        members().forEach(member -> pids.add(member.pid()));
        return Optional.of(pids);
    }

    private List<ProcessTable.Row> members() {
        List<ProcessTable.Row> candidates = new ArrayList<>(table.since(point));
        candidates.removeIf(row -> row.pid() == main.pid() || row.started() < mainStarted());
        List<ProcessTable.Row> members = new ArrayList<>();
        Set<Long> parents = new HashSet<>(main.holdsNumber() ? Set.of(main.pid()) : Set.of());
        boolean grown = true;
        while (grown) {
            grown = false;
            for (ProcessTable.Row row : List.copyOf(candidates)) {
                if (parents.contains(row.parent()) || isTied(row)) {
                    known.add(row.identity());
                    parents.add(row.pid());
                    members.add(row);
                    candidates.remove(row);
                    grown = true;
                }
            }
        }
        return members;
    }

    private boolean isTied(ProcessTable.Row row) {
        return known.contains(row.identity())
                || (main.leadsSession() && (row.session() == main.pid() || row.group() == main.pid()))
                || row.marker().get().filter(marker::equals).isPresent();
    }

    /**
     * Reads the start time late, so that a start does not wait for it: the main process keeps its pid until the tree
     * has ended.
     */
    private long mainStarted() {
        if (mainStarted.isEmpty()) {
            mainStarted = OptionalLong.of(
                    table.row(main.pid()).map(ProcessTable.Row::started).orElse(0L));
        }
        return mainStarted.getAsLong();
    }
}
