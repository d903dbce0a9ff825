package dev.paddock.cli;

import dev.paddock.cli.command.Numbers;
import dev.paddock.cli.terminal.Console;
import dev.paddock.cli.terminal.Interrupts;
import dev.paddock.cli.terminal.StandardOutput;
import dev.paddock.cli.terminal.Streams;
import dev.paddock.cli.terminal.UserTerminal;
import dev.paddock.executor.AbortController;
import dev.paddock.executor.AbortSignal;
import dev.paddock.executor.AbortedException;
import dev.paddock.executor.CleanupReport;
import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.ExitStatus;
import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.PublishedPort;
import dev.paddock.executor.Signal;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.harness.tools.hint.CommandHints;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

/** Runs one command and connects its streams to this program's own. */
final class Execution implements Interrupts.Work {

    static final int TIMED_OUT = 124;

    private static final int BLOCK = 64 * 1024;

    /**
     * How many times {@link #LAST_OUTPUT} this program waits, after it has ended the command, for the remaining output
     * and its own messages to be written.
     */
    private static final int LAST_OUTPUT_WAITS = 4;

    /** A shell's exit code is higher if a signal has ended its command. */
    private static final int SIGNALED = 128;

    private static final Duration LAST_OUTPUT = Duration.ofMillis(200);

    private final AbortController ending = new AbortController();

    /** The exit code that overrides the command's own: after a signal, a timeout or a failure to write output. */
    private final CompletableFuture<Integer> verdict = new CompletableFuture<>();

    private volatile Optional<ProcessLike> started = Optional.empty();
    private final Console console;
    private final Streams streams;
    private final Optional<UserTerminal> terminal;
    private final Optional<CommandHints> hints;
    private final Optional<EarlyHint> earlyHint;
    private final OutputEnd outputEnd = new OutputEnd();
    private final List<Thread> announcements = new CopyOnWriteArrayList<>();

    /**
     * Creates an execution.
     *
     * @param streams the caller's, to which the command's are connected
     * @param terminal the caller's terminal, to be connected to the command's own; empty for a command without one
     * @param hints recognize what the sandbox denied to a failed command
     */
    Execution(Console console, Streams streams, Optional<UserTerminal> terminal, Optional<CommandHints> hints) {
        this.console = console;
        this.streams = streams;
        this.terminal = terminal;
        this.hints = hints;
        this.earlyHint = hints.flatMap(some -> EarlyHint.of(some, this::announce));
    }

    /** Returns the signal with which to start the command, so that this object can abort it. */
    AbortSignal signal() {
        return ending.signal();
    }

    /**
     * Runs a command until its process tree has exited.
     *
     * @param options start options that contain {@link #signal()}
     * @return the exit code
     * @throws ExecutorException if the command could not be run, or was lost
     */
    int run(CommandExecutor executor, String command, SpawnOptions options, Optional<Duration> timeout) {
        ProcessLike process;
        try {
            process = executor.spawn(command, options);
        } catch (AbortedException endedBeforeItBegan) {
            return verdict.join();
        } finally {
            console.progress().clear();
        }
        started = Optional.of(process);
        terminal.ifPresent(own -> own.connect(process));
        for (PublishedPort port : process.published()) {
            announce("port " + port.port() + " of the command is " + port.address() + " on this machine");
        }
        try {
            return follow(process, command, options, timeout);
        } catch (ExecutorException lost) {
            resetModes();
            throw lost;
        } finally {
            terminal.ifPresent(UserTerminal::restore);
        }
    }

    /** Resets the terminal modes that a killed full-screen program has left on. */
    private void resetModes() {
        if (terminal.isPresent()) {
            console.resetModes();
        }
    }

    private int follow(ProcessLike process, String command, SpawnOptions options, Optional<Duration> timeout) {
        timeout.ifPresent(after -> endAfter(after, process));
        if (options.stdin() == SpawnOptions.Stdin.PIPE) {
            daemon("stdin", () -> passInput(process.stdin()));
        }
        Thread stdout = daemon("stdout", () -> passOutput(process.stdout(), console.output()));
        Thread stderr = daemon("stderr", () -> passOutput(process.stderr(), streams.err()));

        ExitStatus status = await(process.onExit());
        CleanupReport cleanup = await(process.onClosed());
        finish(List.of(stdout, stderr));
        if (verdict.isDone() || status.code() > SIGNALED) {
            resetModes();
        }
        terminal.ifPresent(UserTerminal::restore);
        finish(announcements);
        // On a thread, too: the command's own output may have filled standard error.
        finish(List.of(daemon("messages", () -> report(command, status, cleanup, timeout))));
        return verdict.getNow(status.code());
    }

    /** Writes a message while the command runs. Returns at once: standard error may be blocked. */
    void announce(String message) {
        announcements.add(daemon("announcement", () -> {
            if (terminal.isEmpty()) {
                console.complain(message);
            } else {
                console.complainAtRawTerminal(message);
            }
        }));
    }

    /** Reports a denied host: at once, or with the network off only if the command does not end soon. */
    void denied(String message) {
        earlyHint.ifPresentOrElse(early -> early.refused(message), () -> announce(message));
    }

    @Override
    public void end(int exitCode) {
        if (verdict.complete(exitCode)) {
            ending.abort("the command was ended with exit code " + exitCode);
        }
    }

    @Override
    public void endAtOnce() {
        started.ifPresent(process -> process.kill(Signal.KILL));
    }

    private void endAfter(Duration timeout, ProcessLike process) {
        CompletableFuture.delayedExecutor(timeout.toNanos(), TimeUnit.NANOSECONDS)
                .execute(() -> {
                    if (!process.onExit().toCompletableFuture().isDone()) {
                        end(TIMED_OUT);
                    }
                });
    }

    private void report(String command, ExitStatus status, CleanupReport cleanup, Optional<Duration> timeout) {
        if (timeout.isPresent() && verdict.getNow(0) == TIMED_OUT) {
            console.complain("the command was ended after its timeout of " + Numbers.plain(timeout.get()) + " s");
        } else if (status instanceof ExitStatus.OutOfMemory outOfMemory) {
            console.complain("the command was ended because it exhausted "
                    + (outOfMemory.limitBytes().isPresent()
                            ? "its memory of " + outOfMemory.limitBytes().getAsLong() / (1024 * 1024)
                                    + " MiB; --memory SIZE, or limits.memory in paddock.yaml, grants more"
                            : "the machine's memory"));
        }
        QuotedScript.hint(command, status.code()).ifPresent(console::complain);
        hints.ifPresent(some -> earlyHint
                .map(early -> early.atEnd(status.code(), some.after(status.code(), outputEnd.text())))
                .orElseGet(() -> some.after(status.code(), outputEnd.text()))
                .forEach(console::complain));
        cleanup.leftoversEnded().ifPresent(number -> {
            if (number > 0 && !verdict.isDone()) {
                console.complain("the command left " + (number == 1 ? "a process" : number + " processes")
                        + " running, ended with it");
            }
        });
        cleanup.notices().forEach(console::complain);
    }

    private void see(int length) {
        earlyHint.ifPresent(early -> early.see(outputEnd, length));
    }

    private void passInput(OutputStream to) {
        byte[] block = new byte[BLOCK];
        try (to) {
            InputStream own = streams.in(); // never closed: it is the caller's
            for (int read = own.read(block); read >= 0; read = own.read(block)) {
                to.write(block, 0, read);
                to.flush();
            }
        } catch (IOException commandReadsNoMore) {
            console.detail(commandReadsNoMore);
        }
    }

    private void passOutput(InputStream from, OutputStream to) {
        byte[] block = new byte[BLOCK];
        try (from) {
            for (int read = from.read(block); read >= 0; read = from.read(block)) {
                outputEnd.see(block, read);
                see(read);
                try {
                    to.write(block, 0, read);
                } catch (IOException fault) {
                    end(StandardOutput.exitCode(fault));
                    return;
                }
            }
        } catch (IOException lost) {
            // The stream of a lost command: onExit reports the cause.
            console.detail(lost);
        }
    }

    /**
     * Waits for threads that write to this program's output: without limit, unless this program has ended the command.
     */
    private void finish(List<Thread> writers) {
        try {
            int patience = LAST_OUTPUT_WAITS;
            for (Thread writer : writers) {
                while (writer.isAlive() && patience > 0) {
                    writer.join(LAST_OUTPUT);
                    patience -= verdict.isDone() ? 1 : 0;
                }
            }
        } catch (InterruptedException unexpected) {
            throw new IllegalStateException("the main thread was interrupted", unexpected);
        }
    }

    private static Thread daemon(String name, Runnable task) {
        Thread thread = new Thread(task, "paddock-" + name);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    private static <T> T await(CompletionStage<T> stage) {
        try {
            return stage.toCompletableFuture().join();
        } catch (CompletionException failed) {
            throw failed.getCause() instanceof ExecutorException known ? known : failed;
        }
    }
}
