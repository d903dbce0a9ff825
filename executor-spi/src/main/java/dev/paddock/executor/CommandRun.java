package dev.paddock.executor;

import dev.paddock.executor.run.OutputSource;
import dev.paddock.executor.run.StdinWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;

/** Runs one command to its end, for {@link CommandExecutor#run}. */
final class CommandRun {
    /** The time that a result may take after a stop and the grace. */
    private static final long MARGIN = TimeUnit.SECONDS.toNanos(1);

    /** The time within which an executor closes a command after its exit, besides the grace (C18). */
    private static final long CLOSE = TimeUnit.SECONDS.toNanos(10);

    /** How long an executor may take to react to an abort of a start before the start is abandoned. */
    private static final long ABORT_PATIENCE_MILLIS = 200;

    private final CommandExecutor executor;
    private final String command;
    private final RunOptions options;
    private final SpawnOptions spawn;
    private final RunCallbacks callbacks;
    private final AbortController stopper = new AbortController();
    private final Object changed = new Object();
    private volatile Optional<Long> stoppedAt = Optional.empty();
    private long started;

    CommandRun(CommandExecutor executor, String command, RunOptions options) {
        this.executor = executor;
        this.command = command;
        this.options = options;
        this.spawn = options.spawnOptions();
        this.callbacks = new RunCallbacks(options);
    }

    CommandResult run() throws InterruptedException {
        RunFiles files = RunFiles.open(options);
        boolean passedOn = false;
        AbortSignal either = AbortSignal.any(spawn.signal(), stopper.signal());
        AbortSignal.Registration registration = either.onAbort(this::stopped);
        try {
            ProcessLike process = spawn(either);
            started = System.nanoTime();
            passedOn = true;
            return new Streams(process, files).finish();
        } finally {
            registration.close();
            files.input().ifPresent(RunFiles::closeQuietly); // the command has ended, and reads no more
            if (!passedOn) {
                files.output().ifPresent(RunFiles::closeQuietly);
            }
        }
    }

    private void stopped() {
        stoppedAt = Optional.of(System.nanoTime());
        wake();
    }

    private void wake() {
        synchronized (changed) {
            changed.notifyAll();
        }
    }

    /** Spawns on another thread, so that a timeout, an interrupt or an abort need not wait for it. */
    private ProcessLike spawn(AbortSignal signal) throws InterruptedException {
        CompletableFuture<ProcessLike> spawning = new CompletableFuture<>();
        SpawnOptions abortable = spawn.toBuilder().signal(signal).build();
        var unused = RunThreads.start(() -> {
            try {
                spawning.complete(executor.spawn(command, abortable));
            } catch (Throwable fault) { // rethrown to the caller
                spawning.completeExceptionally(fault);
            }
        });
        CompletableFuture<Void> abandoned = new CompletableFuture<>();
        AbortSignal.Registration registration = spawn.signal()
                .onAbort(() -> abandoned.completeOnTimeout(null, ABORT_PATIENCE_MILLIS, TimeUnit.MILLISECONDS));
        try {
            long most = options.startTimeout().map(CommandRun::nanos).orElse(Long.MAX_VALUE);
            var unusedFirst = CompletableFuture.anyOf(spawning, abandoned).get(most, TimeUnit.NANOSECONDS);
            if (!spawning.isDone()) {
                String reason = spawn.signal().reason().orElse("aborted");
                abandon(spawning, reason);
                throw new AbortedException(reason);
            }
            return spawning.get();
        } catch (TimeoutException late) {
            abandon(spawning, "the start timed out");
            throw new SpawnException("the command did not start within "
                    + options.startTimeout().orElseThrow() + "; give it a longer startTimeout");
        } catch (InterruptedException stop) {
            abandon(spawning, "the caller was interrupted");
            throw stop;
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof RuntimeException known) {
                throw known;
            }
            throw new ExecutorException("the command could not be started: " + failed.getCause(), failed);
        } finally {
            registration.close();
        }
    }

    /** Aborts a spawn in progress; if it returns later, its signal aborts the command. */
    private void abandon(CompletableFuture<ProcessLike> spawning, String reason) {
        abort(reason);
        var unused = spawning.thenAccept(late -> {
            for (OutputSource source : OutputSource.values()) {
                var unusedStream = RunThreads.start(() -> discard(late, source));
            }
        });
    }

    private static void discard(ProcessLike late, OutputSource source) {
        try (var from = source == OutputSource.OUT ? late.stdout() : late.stderr()) {
            from.transferTo(OutputStream.nullOutputStream());
        } catch (IOException over) {
            return;
        }
    }

    /** Aborts on a thread of its own, since the executor may need a round trip for it. */
    private void abort(String reason) {
        var unused = RunThreads.start(() -> stopper.abort(reason));
    }

    private static long nanos(Duration time) {
        return TimeUnit.NANOSECONDS.convert(time);
    }

    /** Returns the deadline of the run, in nanoseconds after its start. */
    private long longest() {
        long stop = stoppedAt.map(at -> at - started).orElse(Long.MAX_VALUE);
        long end = Math.min(stop, options.timeout().map(CommandRun::nanos).orElse(Long.MAX_VALUE));
        long most = end + nanos(spawn.killGrace()) + MARGIN;
        return most < end && end > 0 ? Long.MAX_VALUE : most;
    }

    /** Waits for a condition until a deadline after the start; rechecks it at the given interval. */
    private boolean await(BooleanSupplier condition, long most, long again) throws InterruptedException {
        synchronized (changed) {
            while (!condition.getAsBoolean()) {
                long left = Math.min(most, longest()) - (System.nanoTime() - started);
                if (left <= 0) {
                    return false;
                }
                TimeUnit.NANOSECONDS.timedWait(changed, Math.max(1_000_000, Math.min(left, again)));
            }
            return true;
        }
    }

    /** The streams, the exit and the close of the started command. */
    private final class Streams {
        private final CompletableFuture<ExitStatus> exit;
        private final CompletableFuture<CleanupReport> closed;
        private final List<RunPump> pumps;
        private final List<Future<?>> readers;
        private final Optional<Future<?>> writer;
        private final OutputStream stdin;

        /** Completes at the exit: true unless the command was stopped before. */
        private final CompletableFuture<Boolean> beforeStop;

        Streams(ProcessLike process, RunFiles files) {
            exit = process.onExit().toCompletableFuture();
            closed = process.onClosed().toCompletableFuture();
            Optional<OutputStream> emptied = files.output().map(open -> {
                callbacks.call("toFile", () -> open.truncate(0));
                return Channels.newOutputStream(open);
            });
            RunPump out =
                    new RunPump(OutputSource.OUT, process.stdout(), emptied, options, callbacks, CommandRun.this::wake);
            pumps = spawn.stderr() == SpawnOptions.Stderr.MERGED
                    ? List.of(out)
                    : List.of(
                            out,
                            new RunPump(
                                    OutputSource.ERR,
                                    process.stderr(),
                                    Optional.empty(),
                                    options,
                                    callbacks,
                                    CommandRun.this::wake));
            stdin = process.stdin();
            beforeStop = exit.handle((status, lost) -> stoppedAt.isEmpty());
            var unusedExit = beforeStop.thenRun(CommandRun.this::wake);
            var unusedClose = closed.whenComplete((report, lost) -> wake());
            readers = pumps.stream().<Future<?>>map(RunThreads::start).toList();
            writer = files.writer(options).map(from -> RunThreads.start(() -> write(from, stdin)));
        }

        private void write(StdinWriter from, OutputStream to) {
            RunInput in = new RunInput(to);
            try {
                from.writeTo(in);
                in.flush();
            } catch (Throwable fault) { // whatever the writer throws, the run goes on
                if (!in.broken() && !exit.isDone()) {
                    callbacks.fail("stdin", fault);
                }
            } finally {
                in.closeQuietly();
            }
        }

        CommandResult finish() throws InterruptedException {
            try {
                CommandOutcome outcome = awaitEnd();
                drain();
                return result(outcome);
            } catch (InterruptedException stop) {
                abort("the caller was interrupted");
                endBounded();
                throw stop;
            } finally {
                release();
            }
        }

        private CommandOutcome awaitEnd() throws InterruptedException {
            long timeout = options.timeout().map(CommandRun::nanos).orElse(Long.MAX_VALUE);
            boolean over = await(() -> beforeStop.isDone() || stoppedAt.isPresent(), timeout, Long.MAX_VALUE);
            boolean timedOut = !over && !beforeStop.isDone();
            if (timedOut) {
                abort("timed out after " + options.timeout().orElseThrow());
            }
            await(beforeStop::isDone, Long.MAX_VALUE, Long.MAX_VALUE);
            if (beforeStop.getNow(false)) {
                return natural();
            }
            return timedOut
                    ? new CommandOutcome.TimedOut(options.timeout().orElseThrow())
                    : new CommandOutcome.Aborted(spawn.signal().reason().orElse("aborted"));
        }

        private CommandOutcome natural() {
            return exit.state() == Future.State.SUCCESS
                    ? new CommandOutcome.Exited(exit.join())
                    : new CommandOutcome.Lost(
                            asLoss(exit.isCancelled() ? new CancellationException("canceled") : exit.exceptionNow()));
        }

        private static ExecutorException asLoss(Throwable cause) {
            return cause instanceof ExecutorException known
                    ? known
                    : new ExecutorException("how the command ended is unknown: " + cause, cause);
        }

        private void drain() throws InterruptedException {
            long now = System.nanoTime() - started;
            long usual = executor.copiesFiles() ? Long.MAX_VALUE : nanos(spawn.killGrace()) + CLOSE;
            long most = options.closeTimeout().map(CommandRun::nanos).orElse(usual);
            await(closed::isDone, now + most < now ? Long.MAX_VALUE : now + most, Long.MAX_VALUE);
            long from = System.nanoTime();
            List<PumpDrain> drains =
                    pumps.stream().map(pump -> new PumpDrain(pump::state, from)).toList();
            await(() -> areOver(drains), Long.MAX_VALUE, PumpDrain.POLL_NANOS);
            for (RunPump pump : pumps) {
                if (pump.isBusy()) {
                    callbacks.fail(
                            "cut off",
                            new TimeoutException(
                                    "a callback or stream did not take the output in time; the rest was discarded"));
                }
            }
        }

        /** Polls every pump, even after one that is not over: a drain counts its polls as time. */
        private static boolean areOver(List<PumpDrain> drains) {
            long now = System.nanoTime();
            boolean all = true;
            for (PumpDrain drain : drains) {
                all &= drain.isOver(now);
            }
            return all;
        }

        private CommandResult result(CommandOutcome outcome) {
            List<Throwable> errors = callbacks.cut();
            HeadAndTail err = pumps.size() > 1 ? pumps.get(1).kept() : new HeadAndTail(options.capture());
            CommandResult.Builder result = new CommandResult.Builder(
                    outcome, options.charset(), pumps.get(0).kept(), err);
            done(exit).ifPresent(result::status);
            return result.closed(closed.minimalCompletionStage())
                    .took(Duration.ofNanos(System.nanoTime() - started))
                    .callbackErrors(errors)
                    .build();
        }

        private void endBounded() {
            long from = System.nanoTime();
            long most = nanos(spawn.killGrace()) + MARGIN;
            try {
                closed.get(Math.max(1, most - (System.nanoTime() - from)), TimeUnit.NANOSECONDS);
            } catch (ExecutionException | TimeoutException | InterruptedException enough) {
                return; // the abort has been requested; the caller wants to leave
            }
        }

        /** Interrupts the callbacks that have not returned, and abandons threads that ignore it. */
        private void release() {
            callbacks.cut();
            pumps.forEach(RunPump::discard);
            for (int i = 0; i < readers.size(); i++) {
                if (pumps.get(i).isBusy()) {
                    readers.get(i).cancel(true);
                }
            }
            writer.filter(one -> !one.isDone()).ifPresent(this::endWriter);
        }

        /** Ends a writer that waits, or that is blocked because an escaped process holds the pipe and does not read. */
        private void endWriter(Future<?> blocked) {
            blocked.cancel(true);
            var unused = RunThreads.start(new RunInput(stdin)::closeQuietly); // may wait for the write
        }

        private static <T> Optional<T> done(CompletableFuture<T> end) {
            return end.isDone() && !end.isCompletedExceptionally() ? Optional.of(end.join()) : Optional.empty();
        }
    }
}
