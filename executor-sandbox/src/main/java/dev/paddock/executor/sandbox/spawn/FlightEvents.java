package dev.paddock.executor.sandbox.spawn;

import dev.paddock.executor.CleanupReport;
import dev.paddock.executor.ExitStatus;
import dev.paddock.executor.ForwardingProcess;
import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.path.ReportingCommand;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import jdk.jfr.FlightRecorder;
import org.jspecify.annotations.Nullable;

/** Writes an event of each command to the JDK's flight recorder, if that runs. */
final class FlightEvents {
    /** A runtime image may lack the module. */
    private static final boolean IS_PRESENT =
            ModuleLayer.boot().findModule("jdk.jfr").isPresent();

    /** Longest prefix searched for the program name. */
    private static final int MAX_START_LENGTH = 1024;

    /** How long the event waits for the caller to read the rest of the output, to count it. */
    private static final long READ_MILLISECONDS = 2_000;

    /** A first word that is a program's name, after assignments and without its directory. */
    private static final Pattern PROGRAM = Pattern.compile(
            "\\s*+(?:[A-Za-z_]\\w*+=[\\w./:,-]*+\\s++)*+(?:/?+[\\w.+-]++/)*+([\\w.+-]{1,32}+)(?=\\s|$|[;&|])");

    private FlightEvents() {}

    /** Returns the time at which a launch begins. */
    static long begin() {
        return System.nanoTime();
    }

    /**
     * Follows a command that has been started.
     *
     * @param begun when its launch began
     * @return the process, or one that counts its output
     */
    static ProcessLike follow(ProcessLike process, String executor, String command, boolean warm, long begun) {
        return IS_PRESENT && FlightRecorder.isInitialized()
                ? recorded(process, executor, command, warm, begun)
                : process;
    }

    /** A separate method, so that the event's class is not loaded without the recorder. */
    private static ProcessLike recorded(
            ProcessLike process, String executor, String command, boolean warm, long begun) {
        CommandEvent event = new CommandEvent();
        if (!event.isEnabled()) {
            return process;
        }
        event.begin();
        event.start = System.nanoTime() - begun;
        event.executor = executor;
        event.warm = warm;
        String plain = ReportingCommand.plain(command);
        Matcher program = PROGRAM.matcher(plain.substring(0, Math.min(plain.length(), MAX_START_LENGTH)));
        event.program = program.lookingAt() ? program.group(1) : "sh";
        Counted counted = new Counted(process);
        CompletableFuture<ExitStatus> exit = process.onExit().toCompletableFuture();
        CompletionStage<?> unused = counted.forwardedClose().whenComplete((report, fault) -> {
            event.end();
            if (fault == null) {
                ExitStatus status = exit.join();
                event.status = name(status);
                event.code = status.code();
            } else {
                event.status = "lost";
            }
            CompletionStage<?> unusedToo = counted.read().thenRun(() -> {
                event.output = counted.bytes.get();
                event.commit();
            });
            counted.close(Optional.ofNullable(report), fault);
        });
        return counted;
    }

    private static String name(ExitStatus status) {
        if (status instanceof ExitStatus.Signaled signaled) {
            return "signaled " + signaled.signal().name();
        }
        return status instanceof ExitStatus.OutOfMemory ? "out of memory" : "exited";
    }

    /** A process whose output is counted. */
    private static final class Counted extends ForwardingProcess {
        private final AtomicLong bytes = new AtomicLong();
        private final CountingStream out;
        private final CountingStream err;
        private final CompletableFuture<CleanupReport> closed = new CompletableFuture<>();

        Counted(ProcessLike process) {
            super(process);
            out = new CountingStream(process.stdout(), bytes);
            err = new CountingStream(process.stderr(), bytes);
        }

        /** Completes when the caller has read both streams to their ends, or soon: it may have stopped. */
        CompletableFuture<Void> read() {
            return CompletableFuture.allOf(out.end, err.end)
                    .completeOnTimeout(null, READ_MILLISECONDS, TimeUnit.MILLISECONDS);
        }

        /**
         * Returns the close after this object has reported the exit; the process's own may come before.
         */
        CompletionStage<CleanupReport> forwardedClose() {
            return super.onClosed();
        }

        /** Reports the close. */
        void close(Optional<CleanupReport> report, @Nullable Throwable fault) {
            if (fault != null) {
                closed.completeExceptionally(fault);
            } else {
                closed.complete(report.orElse(CleanupReport.NONE));
            }
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
    }

    /** Adds the bytes that are read to a count. */
    private static final class CountingStream extends FilterInputStream {
        private final AtomicLong bytes;
        private final CompletableFuture<Boolean> end = new CompletableFuture<>();

        CountingStream(InputStream stream, AtomicLong bytes) {
            super(stream);
            this.bytes = bytes;
        }

        @Override
        public int read() throws IOException {
            int value = super.read();
            counted(value < 0 ? -1 : 1);
            return value;
        }

        @Override
        public int read(byte[] block, int offset, int length) throws IOException {
            return counted(super.read(block, offset, length));
        }

        private int counted(int read) {
            if (read < 0) {
                end.complete(true);
            } else {
                bytes.addAndGet(read);
            }
            return read;
        }

        @Override
        public void close() throws IOException {
            end.complete(false);
            super.close();
        }
    }
}
