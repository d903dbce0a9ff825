package dev.paddock.executor.tck;

import static dev.paddock.executor.tck.Broken.executor;
import static dev.paddock.executor.tck.Broken.process;

import dev.paddock.executor.ExitStatus;
import dev.paddock.executor.Guarantee;
import dev.paddock.executor.SpawnOptions;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.SequenceInputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Executors that break C5 to C7. */
final class BrokenStreams {
    private BrokenStreams() {}

    static List<Broken> all() {
        return List.of(
                process("leaves the input open", "C5_emptyUnlessAskedFor", "onExit did not complete", OpenInput::new),
                process("never ends the input", "C5_pipeIsExactAndHasEnd", "onExit did not complete", Endless::new),
                process("reads text", "C6_everyByteIsExact", "stdout", Text::new),
                process("merges afterwards", "C6_mergedInWrittenOrder", "o0", MergesLate::new),
                process("reads ahead", "C6_readerThatStopsHoldsWriter", "while nobody read", ReadsAhead::new),
                process("forgets stderr", "C6_apart", "ab", NoStderr::new),
                process("waits for the pipes", "C7_completesWhoeverHoldsPipes", "onExit did not", WaitsForPipes::new),
                process("takes a signal for success", "C7_deathBySignal[1]", "Signaled", AllIsWell::new),
                process("shortens codes", "C7_exitCodes[4]", "Exited[code=42]", OneOrZero::new),
                executor("claims exactness", "C7_exitCodesThatLookLikeSignals[3]", "137", ClaimsExactness::new));
    }

    private static class OpenInput extends ReferenceProcess {
        OpenInput(Process process, SpawnOptions options, String marker) {
            super(process, options, marker);
        }

        @Override
        void closeInput() {}
    }

    private static final class Endless extends ReferenceProcess {
        Endless(Process process, SpawnOptions options, String marker) {
            super(process, options, marker);
        }

        @Override
        public OutputStream stdin() {
            return new FilterOutputStream(super.stdin()) {
                @Override
                public void close() throws IOException {
                    flush();
                }
            };
        }
    }

    private static final class Text extends ReferenceProcess {
        private final InputStream stdout;

        Text(Process process, SpawnOptions options, String marker) {
            super(process, options, marker);
            String text = new String(allOf(super.stdout()), StandardCharsets.UTF_8);
            stdout = new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
        }

        @Override
        public InputStream stdout() {
            return stdout;
        }
    }

    private static byte[] allOf(InputStream stream) {
        try {
            return stream.readAllBytes();
        } catch (IOException fault) {
            throw new UncheckedIOException(fault);
        }
    }

    private static final class MergesLate extends ReferenceProcess {
        private final InputStream stdout;

        MergesLate(Process process, SpawnOptions options, String marker) {
            super(process, options, marker);
            stdout = options.stderr() == SpawnOptions.Stderr.MERGED ? sorted() : super.stdout();
        }

        private InputStream sorted() {
            List<String> lines = new String(allOf(super.stdout()), StandardCharsets.UTF_8)
                    .lines()
                    .toList();
            return new SequenceInputStream(
                    lines(lines.stream().filter(line -> line.startsWith("o")).toList()),
                    lines(lines.stream().filter(line -> !line.startsWith("o")).toList()));
        }

        private static InputStream lines(List<String> lines) {
            return new ByteArrayInputStream((String.join("\n", lines) + "\n").getBytes(StandardCharsets.UTF_8));
        }

        @Override
        public InputStream stdout() {
            return stdout;
        }
    }

    private static final class ReadsAhead extends ReferenceProcess {
        private final CompletableFuture<byte[]> all = new CompletableFuture<>();

        ReadsAhead(Process process, SpawnOptions options, String marker) {
            super(process, options, marker);
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            Thread.ofPlatform().daemon().start(() -> {
                bytes.writeBytes(allOf(super.stdout()));
                all.complete(bytes.toByteArray());
            });
        }

        @Override
        public InputStream stdout() {
            return new ByteArrayInputStream(all.join());
        }
    }

    private static final class NoStderr extends ReferenceProcess {
        NoStderr(Process process, SpawnOptions options, String marker) {
            super(process, options, marker);
        }

        @Override
        public InputStream stderr() {
            return InputStream.nullInputStream();
        }
    }

    private static final class WaitsForPipes extends ReferenceProcess {
        WaitsForPipes(Process process, SpawnOptions options, String marker) {
            super(process, options, marker);
        }

        @Override
        public CompletionStage<ExitStatus> onExit() {
            return onClosed().thenCompose(cleanup -> super.onExit());
        }
    }

    private static final class AllIsWell extends ReferenceProcess {
        AllIsWell(Process process, SpawnOptions options, String marker) {
            super(process, options, marker);
        }

        @Override
        ExitStatus status(int value) {
            return new ExitStatus.Exited(value > 128 ? 0 : value);
        }
    }

    private static final class OneOrZero extends ReferenceProcess {
        OneOrZero(Process process, SpawnOptions options, String marker) {
            super(process, options, marker);
        }

        @Override
        ExitStatus status(int value) {
            return new ExitStatus.Exited(Math.min(value, 1));
        }
    }

    private static final class ClaimsExactness extends ReferenceExecutor {
        @Override
        public Set<Guarantee> guarantees() {
            return Set.of(Guarantee.EXACT_STATUS);
        }
    }
}
