package dev.paddock.executor.tck;

import static dev.paddock.executor.tck.Broken.executor;
import static dev.paddock.executor.tck.Broken.plain;
import static dev.paddock.executor.tck.Broken.process;

import dev.paddock.executor.CleanupReport;
import dev.paddock.executor.SpawnOptions;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/** Executors that break C18, or the settlement that PROTECTED_PATHS promises. */
final class BrokenSettlements {
    private BrokenSettlements() {}

    static List<Broken> all() {
        return List.of(
                executor("never closes", "C18_closesNormally[1]", "onClosed did not complete", NeverCloses::new),
                process(
                        "closes with its own fault",
                        "C18_closesNormally[6]",
                        "onClosed completed exceptionally",
                        FailsWithoutADirectory::new),
                protects(
                        "does not settle",
                        "G_PROTECTED_PATHS_nothingPlantedStaysAndReportNamesIt[1]",
                        "post-checkout",
                        Skips::new),
                protects(
                        "knows no links",
                        "G_PROTECTED_PATHS_nothingPlantedStaysAndReportNamesIt[6]",
                        "ORIG_HEAD",
                        FollowsLinks::new),
                protects(
                        "keeps a path from commands, and not from file tools",
                        "G_PROTECTED_PATHS_onePathThatCommandsMayNotChangeIsKeptFromFileToolsToo",
                        "isKept of tools/hooks",
                        TellsNoPath::new),
                protects(
                        "keeps a path from neither",
                        "G_PROTECTED_PATHS_onePathThatCommandsMayNotChangeIsKeptFromFileToolsToo",
                        "a hook that a command has planted",
                        KeepsNoPath::new),
                protects("settles late", "G_PROTECTED_PATHS_settledAtClose", ".mcp.json", SettlesLate::new),
                protects(
                        "keeps its notices to itself",
                        "G_PROTECTED_PATHS_nothingPlantedStaysAndReportNamesIt[1]",
                        "the report",
                        Silent::new),
                protects(
                        "stops at the first fault",
                        "G_PROTECTED_PATHS_onePathStopsNoOther",
                        "beside paths that cannot be read",
                        StopsAtTheFirst::new),
                protects(
                        "reports the fault of its settlement as its own",
                        "G_PROTECTED_PATHS_closesWhateverStandsInWay[5]",
                        "onClosed completed exceptionally",
                        ThrowsAtTheFirst::new),
                protects(
                        "waits for a writer",
                        "G_PROTECTED_PATHS_closesWhateverStandsInWay[1]",
                        "onClosed did not complete",
                        ReadsPipes::new));
    }

    private static Broken protects(String name, String fails, String seen, ReferenceProvider.Protecting protecting) {
        return new Broken(
                name,
                fails,
                seen,
                environment -> plain(new ReferenceExecutor(), environment)
                        .withProvider(new ReferenceProvider(protecting), Map.of()));
    }

    private static final class NeverCloses extends ReferenceExecutor {
        private final CompletableFuture<CleanupReport> disposal = new CompletableFuture<>();

        @Override
        ReferenceProcess process(Process process, SpawnOptions options, String marker) {
            return new ReferenceProcess(process, options, marker) {
                @Override
                public CompletionStage<CleanupReport> onClosed() {
                    return disposal;
                }
            };
        }

        @Override
        public void dispose() {
            disposal.complete(CleanupReport.NONE);
            super.dispose();
        }
    }

    /** Looks at the command's own directory, which the command has removed. */
    private static final class FailsWithoutADirectory extends ReferenceProcess {
        FailsWithoutADirectory(Process process, SpawnOptions options, String marker) {
            super(process, options, marker);
        }

        @Override
        public CompletionStage<CleanupReport> onClosed() {
            return super.onClosed().thenApply(report -> {
                if (!Path.of(options().cwd(), "own").toFile().exists()) {
                    throw new IllegalStateException("the command's directory cannot be examined");
                }
                return report;
            });
        }
    }

    private static final class Skips extends ReferenceProtection {
        Skips(Path root, Map<String, String> variables) {
            super(root, variables);
        }

        @Override
        List<String> settle() {
            return List.of();
        }
    }

    private static class TellsNoPath extends ReferenceProtection {
        TellsNoPath(Path root, Map<String, String> variables) {
            super(root, variables);
        }

        @Override
        public boolean isKept(Path path) {
            return false;
        }
    }

    private static final class KeepsNoPath extends TellsNoPath {
        KeepsNoPath(Path root, Map<String, String> variables) {
            super(root, variables);
        }

        @Override
        List<String> remove(Path path) {
            return path.toString().contains("/tools") ? List.of() : super.remove(path);
        }
    }

    private static final class FollowsLinks extends ReferenceProtection {
        FollowsLinks(Path root, Map<String, String> variables) {
            super(root, variables);
        }

        @Override
        List<String> remove(Path path) {
            return path.toFile().exists() ? super.remove(path) : List.of();
        }
    }

    /** Settles only when it is disposed of. */
    private static final class SettlesLate extends ReferenceProtection {
        private final AtomicInteger late = new AtomicInteger();

        SettlesLate(Path root, Map<String, String> variables) {
            super(root, variables);
        }

        @Override
        List<String> settle() {
            late.incrementAndGet();
            return List.of();
        }

        @Override
        public void dispose() {
            while (late.getAndDecrement() > 0) {
                List<String> unused = super.settle();
            }
            super.dispose();
        }
    }

    private static final class Silent extends ReferenceProtection {
        Silent(Path root, Map<String, String> variables) {
            super(root, variables);
        }

        @Override
        List<String> settle() {
            List<String> unused = super.settle();
            return List.of();
        }
    }

    private static class ThrowsAtTheFirst extends ReferenceProtection {
        ThrowsAtTheFirst(Path root, Map<String, String> variables) {
            super(root, variables);
        }

        @Override
        void skip(Path path, IOException fault) throws IOException {
            throw fault;
        }
    }

    private static final class StopsAtTheFirst extends ThrowsAtTheFirst {
        StopsAtTheFirst(Path root, Map<String, String> variables) {
            super(root, variables);
        }

        @Override
        List<String> settle() {
            try {
                return super.settle();
            } catch (UncheckedIOException fault) {
                return List.of("Protected paths may not have been restored: " + fault.getMessage());
            }
        }
    }

    private static final class ReadsPipes extends ReferenceProtection {
        private final ConcurrentLinkedQueue<Path> pipes = new ConcurrentLinkedQueue<>();

        ReadsPipes(Path root, Map<String, String> variables) {
            super(root, variables);
        }

        @Override
        String content(Path file, BasicFileAttributes attributes) throws IOException {
            if (!attributes.isOther()) {
                return super.content(file, attributes);
            }
            pipes.add(file);
            try (InputStream content = new FileInputStream(file.toFile())) {
                return new String(content.readAllBytes(), StandardCharsets.ISO_8859_1);
            }
        }

        /** Opens each pipe for writing too, which ends the wait. */
        @Override
        public void dispose() {
            try {
                for (Path pipe = pipes.poll(); pipe != null; pipe = pipes.poll()) {
                    new RandomAccessFile(pipe.toFile(), "rw").close();
                }
            } catch (IOException fault) {
                throw new UncheckedIOException(fault);
            }
            super.dispose();
        }
    }
}
