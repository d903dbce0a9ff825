package dev.paddock.executor.tck;

import static dev.paddock.executor.tck.Broken.executor;

import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.tck.clauses.DisposeContract;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/** Executors that break C11 to C13. */
final class BrokenLives {
    private BrokenLives() {}

    static List<Broken> all() {
        return List.of(
                executor("disposes of nothing", "C11_endsEveryLiveCommand", "after dispose", DisposesOfNothing::new),
                executor("disposes once", "C11_idempotentAndSameAsClose", "only once", DisposesOnce::new),
                executor("hides its disposal", "C11_spawnAfterwardsIsRefused", "isDisposed after", Secretive::new),
                executor("starts after disposal", "C11_spawnAfterwardsIsRefused", "raise a throwable", Undead::new),
                executor(
                        "does not wait for the other", "C11_eachOfSeveralCallersFindsItDone", "concurrent", Hasty::new),
                executor("has no watchman", "C12_nothingSurvivesJvm", "after its JVM was killed", NoWatchman::new),
                executor("runs eight at a time", "C13_sixtyFourDoNotWaitForOneAnother", "spawn did not", Eight::new),
                executor("leaks threads", "C13_manyCommandsLeaveNothing", "\"threads\"=", LeaksThreads::new),
                executor("leaks descriptors", "C13_manyCommandsLeaveNothing", "\"descriptors\"=", LeaksFiles::new),
                executor("leaks processes", "C13_manyCommandsLeaveNothing", "\"processes\"=", LeaksProcesses::new));
    }

    private static final class DisposesOfNothing extends ReferenceExecutor {
        @Override
        public void dispose() {}
    }

    private static final class DisposesOnce extends ReferenceExecutor {
        private final AtomicBoolean done = new AtomicBoolean();

        @Override
        public void dispose() {
            if (done.getAndSet(true)) {
                throw new IllegalStateException("dispose works only once");
            }
            super.dispose();
        }
    }

    private static final class Secretive extends ReferenceExecutor {
        @Override
        public boolean isDisposed() {
            return false;
        }
    }

    private static final class Undead extends ReferenceExecutor {
        @Override
        void requireAlive() {}
    }

    /** The first caller waits for longer than a death may take to be noticed; the others return at once. */
    private static final class Hasty extends ReferenceExecutor {
        private final AtomicBoolean begun = new AtomicBoolean();

        @Override
        public void dispose() {
            if (!begun.getAndSet(true)) {
                ReferenceProcess.pause(DisposeContract.NOTICED.multipliedBy(3));
                super.dispose();
            }
        }
    }

    private static final class NoWatchman extends ReferenceExecutor {
        @Override
        Process startWatchman() throws IOException {
            return new ProcessBuilder("true").start();
        }
    }

    private static final class Eight extends ReferenceExecutor {
        private final Semaphore places = new Semaphore(8);

        @Override
        public ProcessLike spawn(String command, SpawnOptions options) {
            try {
                if (!places.tryAcquire(Broken.LONGER.toSeconds(), TimeUnit.SECONDS)) {
                    throw new IllegalStateException("too many commands");
                }
            } catch (InterruptedException stopped) {
                throw new IllegalStateException(stopped);
            }
            ProcessLike process = super.spawn(command, options);
            process.onClosed().whenComplete((cleanup, fault) -> places.release());
            return process;
        }
    }

    private static final class LeaksThreads extends ReferenceExecutor {
        private final CountDownLatch end = new CountDownLatch(1);

        @Override
        public ProcessLike spawn(String command, SpawnOptions options) {
            Thread.ofPlatform().daemon().start(() -> {
                try {
                    end.await();
                } catch (InterruptedException stopped) {
                    throw new IllegalStateException(stopped);
                }
            });
            return super.spawn(command, options);
        }

        @Override
        public void dispose() {
            end.countDown();
            super.dispose();
        }
    }

    private static final class LeaksFiles extends ReferenceExecutor {
        private final ConcurrentLinkedQueue<RandomAccessFile> open = new ConcurrentLinkedQueue<>();

        @Override
        public ProcessLike spawn(String command, SpawnOptions options) {
            try {
                open.add(new RandomAccessFile("/dev/null", "r"));
            } catch (IOException fault) {
                throw new UncheckedIOException(fault);
            }
            return super.spawn(command, options);
        }

        @Override
        public void dispose() {
            try {
                for (RandomAccessFile file : open) {
                    file.close();
                }
            } catch (IOException fault) {
                throw new UncheckedIOException(fault);
            }
            super.dispose();
        }
    }

    private static final class LeaksProcesses extends ReferenceExecutor {
        private final ConcurrentLinkedQueue<Process> running = new ConcurrentLinkedQueue<>();

        @Override
        public ProcessLike spawn(String command, SpawnOptions options) {
            try {
                running.add(new ProcessBuilder("cat").start());
            } catch (IOException fault) {
                throw new UncheckedIOException(fault);
            }
            return super.spawn(command, options);
        }

        @Override
        public void dispose() {
            running.forEach(process -> process.destroyForcibly().onExit().join());
            super.dispose();
        }
    }
}
