package dev.paddock.harness.micrometer;

import dev.paddock.executor.CleanupReport;
import dev.paddock.executor.ForwardingProcess;
import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.log.LateLogger;
import io.micrometer.core.instrument.Counter;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/** A command whose output is counted and whose close is reported only after it was measured. */
final class MeteredProcess extends ForwardingProcess {
    private static final Logger LOG = LateLogger.of(MeteredProcess.class);

    private final InputStream out;
    private final InputStream err;
    private final CompletableFuture<CleanupReport> closed = new CompletableFuture<>();

    MeteredProcess(ProcessLike process, Counter output, Consumer<Optional<Throwable>> measure) {
        super(process);
        out = new Counting(process.stdout(), output);
        err = new Counting(process.stderr(), output);
        // Not the delegate's close, which may come before this object has reported the exit.
        CompletionStage<?> unused = super.onClosed().whenComplete((report, fault) -> {
            try {
                measure.accept(Optional.ofNullable(fault));
            } catch (RuntimeException broken) {
                LOG.log(Level.WARNING, "A command could not be measured", broken);
            }
            if (fault != null) {
                closed.completeExceptionally(fault);
            } else {
                closed.complete(report);
            }
        });
    }

    @Override
    public CompletionStage<CleanupReport> onClosed() {
        return closed;
    }

    @Override
    public InputStream stdout() {
        return out;
    }

    @Override
    public InputStream stderr() {
        return err;
    }

    /** Counts the bytes that are read. */
    private static final class Counting extends FilterInputStream {
        private final Counter count;

        Counting(InputStream stream, Counter count) {
            super(stream);
            this.count = count;
        }

        @Override
        public int read() throws IOException {
            int value = super.read();
            count.increment(value < 0 ? 0 : 1);
            return value;
        }

        @Override
        public int read(byte[] block, int offset, int length) throws IOException {
            int read = super.read(block, offset, length);
            count.increment(Math.max(0, read));
            return read;
        }
    }
}
