package dev.paddock.executor.tck;

import static dev.paddock.executor.tck.Broken.executor;
import static dev.paddock.executor.tck.Broken.process;

import dev.paddock.executor.AbortSignal;
import dev.paddock.executor.CleanupReport;
import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.Signal;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.tck.context.Processes;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;

/** Executors that break C8 to C10. */
final class BrokenTrees {
    /** Found only if this JVM learns of the death before the grace is over. */
    static final String IMPATIENT = "is impatient";

    private static final String ALIVE = "a process still lives that should be dead by now";

    private static final Duration BETWEEN_SIGNALS = Duration.ofMillis(50);

    /** A shell's, since it stands still less often than a JVM with much to do. */
    private static final String SIGNAL_AGAIN =
            "for again in $(seq 400); do kill -s \"$1\" -- \"-$2\" 2>/dev/null || exit 0; sleep 0.05; done";

    private BrokenTrees() {}

    static List<Broken> all() {
        return List.of(
                process("keeps leftovers", "C8_leftoverIsEnded[1]", ALIVE, KeepsLeftovers::new),
                process("ends no stream", "C8_bothStreamsReachTheirEnd", "did not reach its end", EndsNoStream::new),
                process("is rude", "C8_leftoverGetsTermFirst", "on SIGTERM", Rude::new),
                process("invents leftovers", "C8_settlesAfterExit", "has none", Invents::new),
                process("kills the shell alone", "C9_killEndsTree[1]", ALIVE, MainAlone::new),
                process("follows the parents alone", "C9_killEndsTree[4]", ALIVE, ParentChain::new),
                process("knows TERM alone", "C9_signalsAreDelivered[4]", "got USR1", TermAlone::new),
                process("signals again", "C9_handlersProcessesAreNotSignalled[1]", "cleaned up", SignalsAgain::new),
                process(
                        "kills the main process last",
                        "C9_mainProcessObservesNothing",
                        "Exited[code=3]",
                        MainLast::new),
                process("says it killed", "C9_falseAfterExit", "after the exit", SaysSo::new),
                process("takes its time", "C9_boundedByTwoSeconds", "how long kill", Slow::new),
                process("hits others", "C9_neverAnotherCommand", "although nobody ended it", HitsOthers::new),
                executor("runs what was aborted", "C10_abortedBeforeSpawnRunsNothing", "raise", RunsAborted::new),
                process("does not hear", "C10_abortEndsTree[1]", ALIVE, Deaf::new),
                process("aborts the parents' children alone", "C10_abortEndsTree[4]", ALIVE, ParentChain::new),
                process("never kills", "C10_killComesAfterGraceAndNotBefore", ALIVE, NeverKills::new),
                process(IMPATIENT, "C10_killComesAfterGraceAndNotBefore", "from the abort", Impatient::new),
                process(
                        "sends TERM to leftovers again",
                        "C10_programHasGraceAlthoughItsShellHasEnded",
                        "whether 'cleaned' exists",
                        TermAgain::new),
                process("kills at once", "C10_statusIsWhatProcessMadeOfIt", "Exited[code=5]", Impatient::new),
                executor("leaves listeners", "C10_leavesNoListenerBehind", "listeners left", LeavesListeners::new),
                executor(
                        "hits others at a late abort",
                        "C10_abortAfterExitReachesNobody",
                        "although nobody ended it",
                        LateAndWide::new));
    }

    private static class KeepsLeftovers extends ReferenceProcess {
        KeepsLeftovers(Process process, SpawnOptions options, String marker) {
            super(process, options, marker);
        }

        @Override
        CleanupReport endLeftovers() {
            return CleanupReport.NONE;
        }
    }

    private static final class EndsNoStream extends ReferenceProcess {
        EndsNoStream(Process process, SpawnOptions options, String marker) {
            super(process, options, marker);
        }

        @Override
        public InputStream stdout() {
            return new FilterInputStream(super.stdout()) {
                @Override
                public int read(byte[] buffer, int offset, int length) throws IOException {
                    int count = super.read(buffer, offset, length);
                    if (count < 0) {
                        Awaitility.await("the deliberate delay of the broken executor has passed")
                                .pollDelay(Broken.LONGER)
                                .atMost(Broken.LONGER.multipliedBy(2))
                                .until(() -> true);
                    }
                    return count;
                }
            };
        }
    }

    /** Signals a command's process group, which its handlers' processes are in, until it has ended. */
    private static void signalAgain(Signal signal, long group) {
        ReferenceProcess.run(List.of("sh", "-c", SIGNAL_AGAIN, "again", signal.name(), Long.toString(group)));
    }

    /**
     * Repeats SIGTERM, since a second one that arrives before the first has been handled is lost. Sends it only to
     * the processes that a leftover has started: the leftover itself would begin its handler anew.
     */
    private static final class TermAgain extends ReferenceProcess {
        TermAgain(Process process, SpawnOptions options, String marker) {
            super(process, options, marker);
        }

        @Override
        CleanupReport endLeftovers() {
            for (List<ProcessHandle> left = tree(); !left.isEmpty(); left = tree()) {
                send(Signal.TERM, startedBy(left));
                pause(BETWEEN_SIGNALS);
            }
            return super.endLeftovers();
        }

        private static List<ProcessHandle> startedBy(List<ProcessHandle> some) {
            return some.stream()
                    .filter(one -> one.parent().filter(some::contains).isPresent())
                    .toList();
        }
    }

    private static final class SignalsAgain extends ReferenceProcess {
        SignalsAgain(Process process, SpawnOptions options, String marker) {
            super(process, options, marker);
        }

        @Override
        void send(Signal signal, List<ProcessHandle> targets) {
            super.send(signal, targets);
            signalAgain(signal, process().pid());
        }
    }

    private static final class MainLast extends ReferenceProcess {
        MainLast(Process process, SpawnOptions options, String marker) {
            super(process, options, marker);
        }

        @Override
        void send(Signal signal, List<ProcessHandle> targets) {
            List<ProcessHandle> others = new ArrayList<>(targets);
            others.remove(process().toHandle());
            super.send(signal, others);
            process()
                    .onExit()
                    .completeOnTimeout(process(), 20, TimeUnit.SECONDS)
                    .join();
            super.send(signal, targets);
        }
    }

    private static final class Rude extends ReferenceProcess {
        Rude(Process process, SpawnOptions options, String marker) {
            super(process, options, marker);
        }

        @Override
        void send(Signal signal, List<ProcessHandle> targets) {
            super.send(Signal.KILL, targets);
        }
    }

    private static final class Invents extends ReferenceProcess {
        Invents(Process process, SpawnOptions options, String marker) {
            super(process, options, marker);
        }

        @Override
        CleanupReport endLeftovers() {
            return CleanupReport.ofLeftovers(1);
        }
    }

    private static final class MainAlone extends KeepsLeftovers {
        MainAlone(Process process, SpawnOptions options, String marker) {
            super(process, options, marker);
        }

        @Override
        List<ProcessHandle> tree() {
            return List.of(process().toHandle());
        }
    }

    private static final class ParentChain extends KeepsLeftovers {
        ParentChain(Process process, SpawnOptions options, String marker) {
            super(process, options, marker);
        }

        @Override
        List<ProcessHandle> tree() {
            List<ProcessHandle> tree = new ArrayList<>(process().descendants().toList());
            tree.add(process().toHandle());
            return tree;
        }
    }

    private static final class TermAlone extends ReferenceProcess {
        TermAlone(Process process, SpawnOptions options, String marker) {
            super(process, options, marker);
        }

        @Override
        void send(Signal signal, List<ProcessHandle> targets) {
            super.send(Signal.TERM, targets);
        }
    }

    private static final class SaysSo extends ReferenceProcess {
        SaysSo(Process process, SpawnOptions options, String marker) {
            super(process, options, marker);
        }

        @Override
        public boolean kill(Signal signal) {
            super.kill(signal);
            return true;
        }
    }

    private static final class Slow extends ReferenceProcess {
        Slow(Process process, SpawnOptions options, String marker) {
            super(process, options, marker);
        }

        @Override
        public boolean kill(Signal signal) {
            Awaitility.await("the deliberate delay of the broken executor has passed")
                    .pollDelay(Duration.ofMillis(2200))
                    .until(() -> true);
            return super.kill(signal);
        }
    }

    private static final class HitsOthers extends ReferenceProcess {
        private final String run;

        HitsOthers(Process process, SpawnOptions options, String marker) {
            super(process, options, marker);
            run = marker.substring(0, marker.indexOf('/'));
        }

        @Override
        List<ProcessHandle> tree() {
            return Processes.tagged(CommandExecutor.MARKER + "=" + run + "/");
        }

        @Override
        CleanupReport endLeftovers() {
            return CleanupReport.NONE;
        }
    }

    private static final class RunsAborted extends ReferenceExecutor {
        @Override
        void requireSound(String command, SpawnOptions options) {}
    }

    private static final class Deaf extends ReferenceProcess {
        Deaf(Process process, SpawnOptions options, String marker) {
            super(process, options, marker);
        }

        @Override
        void abort() {}
    }

    private static final class NeverKills extends ReferenceProcess {
        NeverKills(Process process, SpawnOptions options, String marker) {
            super(process, options, marker);
        }

        @Override
        void abort() {
            send(Signal.TERM, tree());
        }
    }

    private static final class Impatient extends ReferenceProcess {
        Impatient(Process process, SpawnOptions options, String marker) {
            super(process, options, marker);
        }

        @Override
        void abort() {
            tree().forEach(ProcessHandle::destroyForcibly); // the JDK sends it sooner than a program
        }
    }

    private static final class LeavesListeners extends ReferenceExecutor {
        @Override
        void leave(AbortSignal.Registration registration) {}
    }

    private static final class LateAndWide extends ReferenceExecutor {
        @Override
        void leave(AbortSignal.Registration registration) {}

        @Override
        ReferenceProcess process(Process process, SpawnOptions options, String marker) {
            return new HitsOthers(process, options, marker);
        }
    }
}
