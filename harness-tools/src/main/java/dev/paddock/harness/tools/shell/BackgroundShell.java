package dev.paddock.harness.tools.shell;

import dev.paddock.executor.AbortController;
import dev.paddock.executor.CleanupReport;
import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.ExitStatus;
import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.PublishedPort;
import dev.paddock.executor.SandboxLostException;
import dev.paddock.executor.Signal;
import dev.paddock.harness.files.content.TimedPattern;
import dev.paddock.harness.tools.CommandAudit.Outcome;
import dev.paddock.harness.tools.command.AuditTrail;
import dev.paddock.harness.tools.command.CommandRunner;
import dev.paddock.harness.tools.command.Timeouts;
import dev.paddock.harness.tools.output.OutputPump;
import dev.paddock.harness.tools.output.OutputSink;
import dev.paddock.harness.tools.output.ShellOutput;
import dev.paddock.harness.tools.output.TerminalText;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Runs one command in the background, and keeps its output and status after it has ended. */
final class BackgroundShell {
    /** The size of the read buffer, allocated as long as the shell runs. */
    private static final int BLOCK_BYTES = 8 * 1024;

    /** Exit codes after SIGTERM or SIGKILL; a process that catches SIGTERM may exit with the same code. */
    private static final Set<Integer> KILLED = Set.of(128 + Signal.TERM.number(), 128 + Signal.KILL.number());

    /** Says whether a shell runs, or how it ended. */
    enum Status {
        RUNNING,
        COMPLETED,
        FAILED,
        KILLED;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Records how a shell ended. */
    private record End(Status status, Outcome outcome, Optional<ExitStatus> exit, String text, long atNanos) {}

    private final String id;
    private final ShellOutput output;
    private final AuditTrail.Entry audit;
    private final ShellBounds bounds;
    private final AbortController ending = new AbortController();
    private final long startedNanos = System.nanoTime();
    private final CompletableFuture<End> over = new CompletableFuture<>();
    private volatile OptionalLong pid = OptionalLong.empty();
    private volatile List<PublishedPort> published = List.of();
    private volatile boolean exited;
    private volatile Optional<ShellWriter> writer = Optional.empty();
    private volatile Optional<CleanupReport> cleanup = Optional.empty();
    private volatile boolean endTold;

    BackgroundShell(String id, ShellOutput output, AuditTrail.Entry audit, ShellBounds bounds) {
        this.id = id;
        this.output = output;
        this.audit = audit;
        this.bounds = bounds;
    }

    String id() {
        return id;
    }

    OptionalLong pid() {
        return pid;
    }

    /** Returns the ports that the user's programs reach, until it has ended. */
    List<PublishedPort> published() {
        return exited ? List.of() : published;
    }

    boolean isLive() {
        return !over.isDone();
    }

    Status status() {
        return over.isDone() ? over.join().status() : Status.RUNNING;
    }

    /** Returns a future that completes when the shell has ended and its output has been drained. */
    CompletableFuture<?> over() {
        return over;
    }

    /** Waits for the shell's end, and returns whether it has ended. */
    boolean awaitEnd(Duration atMost) throws InterruptedException {
        try {
            over.get(atMost.toNanos(), TimeUnit.NANOSECONDS);
            return true;
        } catch (TimeoutException running) {
            return false;
        } catch (ExecutionException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /**
     * Starts the command.
     *
     * @throws ExecutorException if it could not be started; the shell's status is then failed, and
     *     its output says why
     */
    void start(
            String command,
            String in,
            ShellInput input,
            Optional<PublishedPort> port,
            CommandRunner runner,
            Executor workers) {
        try {
            ProcessLike process = runner.start(command, in, ending.signal(), bounds.killGrace(), options -> {
                port.ifPresent(options::publish);
                return input.apply(options);
            });
            pid = process.pid();
            published = process.published();
            if (input.pipe()) {
                output.givePartOfALine();
                writer = Optional.of(new ShellWriter(id, process.stdin(), workers, bounds.input()));
            }
            OutputSink sink = input.terminal().isPresent() ? new TerminalText(output) : output;
            OutputPump pump = new OutputPump(process.stdout(), sink, BLOCK_BYTES);
            watch(process, pump);
            workers.execute(pump);
        } catch (ExecutorException fault) {
            byte[] reason = (fault.getMessage() + "\n").getBytes(StandardCharsets.UTF_8);
            output.append(reason, reason.length);
            output.close();
            exited = true;
            End end = neverStarted(fault);
            audit.ended(end.outcome()); // the reason is not output of the command
            finish(end);
            throw fault;
        } catch (RuntimeException fault) {
            ending.abort("the session could not read its output");
            throw fault;
        }
    }

    private static End neverStarted(ExecutorException fault) {
        boolean lost = fault instanceof SandboxLostException;
        String what = lost
                ? "The command was lost while it was being started, and may have run: "
                : "The command could not be started, and was not run: ";
        return new End(
                Status.FAILED,
                lost ? Outcome.LOST : Outcome.FAILED,
                Optional.empty(),
                what + fault.getMessage(),
                System.nanoTime());
    }

    private void watch(ProcessLike process, OutputPump pump) {
        CompletableFuture<?> settled = process.onClosed().toCompletableFuture().handle((done, fault) -> {
            cleanup = Optional.ofNullable(done);
            return done;
        });
        var unused = pump.ended().thenRun(output::close);
        var unusedToo = process.onExit().whenComplete((status, fault) -> {
            End end = endOf(status, fault, ending.signal().isAborted());
            exited = true;
            var unusedDrained = CompletableFuture.allOf(pump.ended(), settled)
                    .completeOnTimeout(null, bounds.drain().toMillis(), TimeUnit.MILLISECONDS)
                    .thenRun(() -> finish(end));
        });
    }

    /**
     * Derives the ending from the exit status: a process that exits with its own exit code after its termination was
     * requested does not count as killed, whether or not it handled the signal.
     */
    private static End endOf(@Nullable ExitStatus status, @Nullable Throwable fault, boolean signaled) {
        long now = System.nanoTime();
        if (status == null) {
            String reason = fault instanceof ExecutorException ? fault.getMessage() : String.valueOf(fault);
            return new End(
                    Status.FAILED,
                    Outcome.LOST,
                    Optional.empty(),
                    "Command lost: " + reason + ". Whether it has finished its work is unknown",
                    now);
        }
        if (signaled && !(status instanceof ExitStatus.OutOfMemory) && KILLED.contains(status.code())) {
            return new End(Status.KILLED, Outcome.ABORTED, Optional.of(status), StatusText.of(status), now);
        }
        String text = StatusText.of(status) + (signaled ? ", after it received SIGTERM" : "");
        return status.isSuccess()
                ? new End(Status.COMPLETED, Outcome.OK, Optional.of(status), text, now)
                : new End(Status.FAILED, Outcome.FAILED, Optional.of(status), text, now);
    }

    private void finish(End end) {
        output.end();
        audit.ended(end.outcome(), end.exit(), Duration.ofNanos(end.atNanos() - startedNanos), output.totalBytes());
        over.complete(end);
    }

    /**
     * Requests the shell's termination: SIGTERM, and SIGKILL after the grace.
     *
     * @return false if it had ended already
     */
    boolean end(String reason) {
        if (exited) {
            return false;
        }
        ending.abort(reason);
        return true;
    }

    /** Returns the writer to its input; empty if the command has none. */
    Optional<ShellWriter> writer() {
        return writer;
    }

    long outputBytes() {
        return output.totalBytes();
    }

    void closeLog() {
        output.close();
    }

    boolean hasUnread() {
        return output.hasUnread();
    }

    /** Searches unread output: {@link ShellOutput#search}. */
    OptionalLong search(TimedPattern pattern, long from) {
        return output.search(pattern, from);
    }

    ShellOutput.Unread read(Optional<TimedPattern> filter, int maxOutput) {
        return output.read(filter, maxOutput);
    }

    /**
     * Returns a notice about the surviving processes that the executor terminated, and the other
     * notices of its cleanup report.
     */
    List<String> notices() {
        List<String> notices = new ArrayList<>();
        cleanup.ifPresent(done -> {
            int left = done.leftoversEnded().orElse(0);
            if (left > 0 && status() != Status.KILLED) {
                notices.add("[" + StatusText.leftovers(left)
                        + " A background shell ends with its command: start a service without & behind it.]");
            }
            done.notices().forEach(notice -> notices.add("[" + notice + "]"));
        });
        return notices;
    }

    /**
     * Returns the status, its duration, and how the shell ended:
     * {@code Status of bash_1: running for 3.2 seconds.}
     */
    String statusLine() {
        if (!over.isDone()) {
            return "Status of " + id + ": running for " + seconds(System.nanoTime()) + "."
                    + ShellPort.sentence(published());
        }
        endTold = true;
        return "Status of " + id + ": " + howItEnded();
    }

    /** Returns whether the shell has ended and no result has reported it. */
    boolean isEndUnreported() {
        return over.isDone() && !endTold;
    }

    /** Returns a notice of the shell's end, and records that it was reported. */
    String reportEnd() {
        endTold = true;
        return "[" + id + " has ended: " + howItEnded() + (hasUnread() ? " bash_output gives its output." : "") + "]";
    }

    private String howItEnded() {
        End end = over.join();
        return end.status() + " after " + seconds(end.atNanos()) + ". " + end.text() + ".";
    }

    private String seconds(long until) {
        return Timeouts.unit(Duration.ofNanos(until - startedNanos).truncatedTo(ChronoUnit.MILLIS));
    }

    /** Returns the state, for a result's details; the map is the caller's. */
    Map<String, Object> details() {
        Map<String, Object> details = new LinkedHashMap<>();
        details.put(ShellId.NAME, id);
        details.put("status", status().toString());
        ShellPort.describe(published(), details);
        long until = System.nanoTime();
        if (over.isDone()) {
            End end = over.join();
            until = end.atNanos();
            end.exit().ifPresent(exit -> StatusText.describe(exit, details));
        }
        details.put("millisSinceStart", Duration.ofNanos(until - startedNanos).toMillis());
        return details;
    }
}
