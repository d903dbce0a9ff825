package dev.paddock.executor.remote.sync;

import dev.paddock.executor.AbortSignal;
import dev.paddock.executor.AbortedException;
import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.Progress;
import dev.paddock.executor.path.FileFaults;
import dev.paddock.executor.path.PathBytes;
import dev.paddock.executor.remote.ChannelFactory;
import dev.paddock.executor.remote.sync.Merge.Decision;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * Keeps a worktree on the host and a directory on a remote system equal: {@link #push} before a command, {@link #pull}
 * after it. Exact for names of any bytes, permissions, symbolic links, removals, changes of type and empty directories;
 * several names of one file become separate files, and devices, pipes and sockets are not copied. Files of the host
 * reach the remote side with modification times of whole seconds.
 *
 * <p>If both sides have changed one path, the host's state stays, the remote side's file is quarantined on the host,
 * and the report names both. The first synchronization merges in the same way: it removes nothing on either side.
 *
 * <p>The remote side is not trusted: nothing is written outside the worktree, whatever it answers. On the host each
 * file is replaced as a whole. After an abort or a lost connection, both sides have old or new files, and the next
 * synchronization completes the rest; on the remote side one file can be incomplete until then.
 *
 * <p>The remote side's files belong to one run of it. If the remote side was restarted, or the directory was removed
 * there, each call throws a {@link SystemChangedException}, and changes nothing: open a new synchronization then.
 *
 * <p>Thread-safe; one synchronization runs at a time.
 */
public final class WorktreeSync implements AutoCloseable {
    /** How often files that change while they are read are fetched again. */
    private static final int ROUNDS = 3;

    private static final long POLL_MILLIS = 50;

    private final SyncScript far;
    private final SyncDirectories directories;
    private final LandingRule rule;
    private final SyncedState state = new SyncedState();
    private final ReentrantLock lock = new ReentrantLock();
    private final AwaitedPaths awaited = new AwaitedPaths();

    /** The notices of an incomplete synchronization, for the next report. */
    private final List<String> unreported = new ArrayList<>();

    /** Whether changes may be left to transfer although the remote side's list equals the last one. */
    private boolean incomplete = true;

    private WorktreeSync(SyncScript far, SyncDirectories directories, LandingRule rule) {
        this.far = far;
        this.directories = directories;
        this.rule = rule;
    }

    /**
     * Opens a synchronization: checks the remote side's programs and creates its directories. Transfers nothing yet.
     *
     * @param channels starts programs on the remote side
     * @param rule decides what may reach the worktree
     * @param signal aborts it
     * @throws ExecutorException if a program is missing there, or a directory cannot be created
     */
    public static WorktreeSync open(
            ChannelFactory channels, SyncDirectories directories, LandingRule rule, AbortSignal signal) {
        SyncScript far = new SyncScript(channels, directories.remoteDirectory(), directories.remoteState());
        far.prepare(signal);
        return new WorktreeSync(far, directories, rule);
    }

    /**
     * Makes the remote side equal to the host before a command. Contacts the remote side only if the host has changed,
     * and then fetches the remote side's changes too.
     *
     * @param signal aborts it
     * @param progress receives the progress of a long transfer
     * @return what was done
     * @throws dev.paddock.executor.AbortedException if the signal was aborted
     * @throws ExecutorException if a side cannot be read or written, or the remote side is lost
     */
    public SyncReport push(AbortSignal signal, Consumer<Progress> progress) {
        lock(signal);
        try {
            Tree here = list(signal);
            if (!incomplete && state.matches(here)) {
                return SyncReport.NONE;
            }
            incomplete = true;
            Tree there = far.list(false, signal).orElseThrow();
            return exchange(here, there, signal, progress);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Makes the host equal to the remote side after a command. The host then has everything that exited processes wrote
     * there, and whole files of running ones.
     *
     * @param signal aborts it
     * @param progress receives the progress of a long transfer
     * @return what was done
     * @throws dev.paddock.executor.AbortedException if the signal was aborted
     * @throws ExecutorException if a side cannot be read or written, the remote side is lost, or the pull has timed
     *     out: some files are not on the host then, and the message names a few
     */
    public SyncReport pull(AbortSignal signal, Consumer<Progress> progress) {
        AbortSignal within = AbortSignal.any(signal, AbortSignal.timeout(directories.fetchTimeout()));
        try {
            lock(within);
        } catch (AbortedException late) {
            throw overdue(signal, "another synchronization has not ended", late);
        }
        try {
            boolean isKnown = !incomplete && !state.isUncertain();
            incomplete = true; // the remote side may save a list that does not arrive here
            Optional<Tree> there = far.list(isKnown, within);
            if (there.isPresent()) {
                return exchange(list(within), there.get(), within, progress);
            }
            incomplete = false;
            return SyncReport.NONE;
        } catch (AbortedException late) {
            String missing =
                    awaited().map(paths -> "still missing: " + paths).orElse("the list of files had not arrived");
            throw overdue(signal, missing, late);
        } finally {
            awaited.set(List.of());
            lock.unlock();
        }
    }

    private RuntimeException overdue(AbortSignal signal, String state, AbortedException late) {
        return signal.isAborted()
                ? late
                : new ExecutorException(
                        "after " + directories.fetchTimeout().toSeconds() + " s, the limit fetchTimeout, " + state,
                        late);
    }

    /** Returns, for messages, the paths that the current pull has yet to write; empty if none is known. */
    public Optional<String> awaited() {
        return awaited.describe();
    }

    /** Makes the next pull start sooner, by starting its process on the remote side now. Returns at once. */
    public void expectPull() {
        far.expectList();
    }

    /** Ends a process that waits on the remote side, if any. */
    @Override
    public void close() {
        far.close();
    }

    /** Waits for another synchronization, until the signal is aborted. */
    private void lock(AbortSignal signal) {
        try {
            while (!lock.tryLock() && !lock.tryLock(POLL_MILLIS, TimeUnit.MILLISECONDS)) {
                signal.throwIfAborted();
            }
        } catch (InterruptedException interrupt) {
            Thread.currentThread().interrupt();
            throw new ExecutorException("interrupted while another synchronization ran", interrupt);
        }
    }

    private Tree list(AbortSignal signal) {
        try {
            return WorktreeListing.list(directories.worktree(), signal);
        } catch (IOException fault) {
            throw new ExecutorException(
                    "the worktree '" + directories.worktree() + "' cannot be synchronized: " + FileFaults.reason(fault),
                    fault);
        }
    }

    private SyncReport exchange(Tree hostTree, Tree remoteTree, AbortSignal signal, Consumer<Progress> progress) {
        Tree here = hostTree;
        Tree there = remoteTree;
        int pushed = 0;
        int pulled = 0;
        incomplete = true;
        tooDeep(here, "here");
        tooDeep(there, "there");
        for (int round = 1; ; round++) {
            forgetRemoved(here, there);
            NavigableMap<String, Decision> decisions = new Merge(state, here, there, this::mayLand).decisions();
            if (decisions.isEmpty()) {
                incomplete = false;
                break;
            }
            Pull pull = new Pull(far, directories, state, here, there, awaited);
            Tree after;
            try {
                after = pull.run(decisions, signal, progress);
            } finally { // also what an abort has interrupted
                pulled += pull.landed();
                unreported.addAll(pull.notices());
            }
            Push push = new Push(far, directories.worktree(), state, here, after);
            Tree end;
            try {
                end = push.run(pull.toPush(), signal, progress);
            } finally {
                pushed += push.changed();
                unreported.addAll(push.notices());
            }
            incomplete = !pull.isComplete() || !push.isComplete();
            if (!incomplete || round == ROUNDS) {
                unreported.addAll(pull.missing());
                break;
            }
            here = list(signal);
            there = end;
        }
        SyncReport report =
                new SyncReport(pushed, pulled, unreported.stream().distinct().toList());
        unreported.clear();
        return report;
    }

    private void tooDeep(Tree tree, String where) {
        List<String> directories = tree.tooDeep();
        if (!directories.isEmpty()) {
            unreported.add("What is in '" + ShownPath.of(directories.get(0)) + "'"
                    + (directories.size() == 1 ? "" : " and " + (directories.size() - 1) + " other directories") + " "
                    + where + " is not synchronized: it is more than " + Tree.MAX_DEPTH + " directories deep.");
        }
    }

    private void forgetRemoved(Tree here, Tree there) {
        for (String path : List.copyOf(state.pairs().keySet())) {
            if (here.get(path) == null
                    && there.get(path) == null
                    && !Tree.isBelow(path, here.closed())
                    && !Tree.isBelow(path, there.closed())) {
                state.record(path, null, null, false);
            }
        }
    }

    private boolean mayLand(String path, boolean exists) {
        return PathBytes.path(path)
                .filter(relative -> rule.mayLand(relative, exists))
                .isPresent();
    }

    /** Returns the paths of decisions of some kind. */
    static List<String> paths(Map<String, Decision> decisions, Decision... kinds) {
        List<Decision> wanted = List.of(kinds);
        return decisions.entrySet().stream()
                .filter(each -> wanted.contains(each.getValue()))
                .map(Map.Entry::getKey)
                .toList();
    }
}
