package dev.paddock.executor.tck;

import static dev.paddock.executor.tck.Broken.executor;
import static dev.paddock.executor.tck.Broken.plain;

import dev.paddock.executor.tck.subject.SandboxFault;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Executors that break C14 to C17. */
final class BrokenAvailability {
    private BrokenAvailability() {}

    static List<Broken> all() {
        return List.of(
                new Broken(
                        "runs on the host instead",
                        "C14_whatCannotBeHadRunsNothing",
                        "raise a throwable",
                        environment ->
                                plain(new ReferenceExecutor(), environment).withUnavailable(ReferenceExecutor::new)),
                new Broken(
                        "accepts any policy",
                        "C14_allowListOfHostsIsEnforcedOrRefused",
                        "raise a throwable",
                        environment -> plain(new ReferenceExecutor(), environment)
                                .withProvider(new ReferenceProvider(true), Map.of())),
                new Broken(
                        "does not notice",
                        "C15_lossIsReportedAndHeals",
                        "nothing happens",
                        environment -> plain(new ReferenceExecutor(), environment)
                                .withFaults(new SandboxFault("nothing happens", () -> {}, () -> {}))),
                executor("polls in the JVM", "C16_silentCommandsUseNoCpu", "poller", PollsInTheJvm::new),
                executor("polls outside", "C16_silentCommandsUseNoCpu", "processes that ran", PollsOutside::new),
                executor("has a place for each", "C17_temporaryFileIsThereForNextCommand", "", OneEach::new));
    }

    private static final class PollsInTheJvm extends ReferenceExecutor {
        private final Thread poller =
                Thread.ofPlatform().daemon().name("poller").start(PollsInTheJvm::poll);

        private static void poll() {
            while (!Thread.interrupted()) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
                ProcessHandle.current().children().forEach(ProcessHandle::isAlive);
            }
        }

        @Override
        public void dispose() {
            poller.interrupt();
            super.dispose();
        }
    }

    private static final class PollsOutside extends ReferenceExecutor {
        private final Process poller;

        PollsOutside() {
            try {
                poller = new ProcessBuilder("sh", "-c", "while sleep 0.2; do :; done").start();
            } catch (IOException fault) {
                throw new UncheckedIOException(fault);
            }
        }

        @Override
        public void dispose() {
            poller.destroyForcibly().onExit().join();
            super.dispose();
        }
    }

    private static final class OneEach extends ReferenceExecutor {
        @Override
        Map<String, String> base() {
            Map<String, String> base = new TreeMap<>(super.base());
            try {
                base.put(
                        "TMPDIR",
                        Files.createTempDirectory(Path.of("target"), "each")
                                .toAbsolutePath()
                                .toString());
            } catch (IOException fault) {
                throw new UncheckedIOException(fault);
            }
            return base;
        }
    }
}
