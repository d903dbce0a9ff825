package dev.paddock.cli.agent;

import dev.paddock.cli.terminal.Console;
import dev.paddock.cli.terminal.Interrupts;
import dev.paddock.cli.terminal.Printable;
import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.ShellQuoting;
import dev.paddock.executor.Signal;
import dev.paddock.harness.AgentSession;
import dev.paddock.harness.events.RunOutcome;
import dev.paddock.harness.events.SessionEvent;
import dev.paddock.harness.events.SessionListener;
import dev.paddock.harness.tools.WorktreeMismatchException;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** Runs one session of {@code paddock agent}, from its first prompt to its exit code. */
final class AgentRun implements Interrupts.Work, SessionListener {
    private static final int MODEL_FAILED = 1;
    private static final int TURNS_USED_UP = 3;
    private static final int INTERRUPTED = 128 + Signal.INT.number();

    private final Console console;
    private final AgentView view;
    private final Interrupts interrupts;
    private Optional<CommandExecutor> executor = Optional.empty();
    private Optional<AgentSession> session = Optional.empty();
    private Optional<Integer> verdict = Optional.empty();
    private boolean isAtWork;
    /**
     * Whether the current prompt is to be aborted; also set while the prompt is only about to
     * begin.
     */
    private boolean isUnwanted;

    AgentRun(Console console, AgentView view, Interrupts interrupts) {
        this.console = console;
        this.view = view;
        this.interrupts = interrupts;
    }

    /**
     * Prompts the session until there are no more prompts. The caller passes signals to this object
     * from before the executor is opened.
     */
    int run(CommandExecutor place, Supplier<AgentSession> opening, Prompts prompts) {
        int exitCode = work(place, opening, prompts);
        if (verdict().isPresent() || exitCode == INTERRUPTED) {
            // The usual exit flushes the output, which blocks forever if nobody reads it.
            Runtime.getRuntime().exit(exitCode);
        }
        return exitCode;
    }

    private int work(CommandExecutor place, Supplier<AgentSession> opening, Prompts prompts) {
        try (CommandExecutor disposed = place;
                AgentSession opened = opening.get()) {
            synchronized (this) {
                executor = Optional.of(disposed);
                session = Optional.of(opened);
            }
            int exitCode = promptAll(opened, prompts);
            view.close();
            view.summary()
                    .ifPresent(cost -> console.complain(cost + "; to go on: --resume "
                            + ShellQuoting.posix(List.of(opened.directory().toString()))));
            return verdict().orElse(exitCode);
        }
    }

    private int promptAll(AgentSession opened, Prompts prompts) {
        int exitCode = 0;
        while (verdict().isEmpty()) {
            interrupts.anew();
            Optional<String> prompt = prompts.next();
            // A verdict that arrived while the terminal was read must not be followed by another
            // prompt.
            if (prompt.isEmpty() || verdict().isPresent()) {
                break;
            }
            exitCode = prompt(opened, prompt.get());
            if (!prompts.asks()) {
                break;
            }
        }
        return exitCode;
    }

    private int prompt(AgentSession opened, String text) {
        setAtWork(true);
        RunOutcome outcome;
        try {
            outcome = opened.prompt(text);
        } finally {
            setAtWork(false);
        }
        outcome.failure().ifPresent(fault -> console.complain(Printable.text(Console.text(fault))));
        return switch (outcome.end()) {
            // The abort came too late for the run, but it has cut short the display of the run.
            case COMPLETED -> isUnwanted() ? INTERRUPTED : 0;
            case ABORTED -> INTERRUPTED;
            case MAX_TURNS -> {
                console.complain("the model wanted to go on after " + outcome.turns()
                        + " turns; --max-turns grants more, and --resume goes on");
                yield TURNS_USED_UP;
            }
            case FAILED -> outcome.failure().filter(AgentRun::isOfThePlace).isPresent() ? Console.FAILED : MODEL_FAILED;
        };
    }

    private static boolean isOfThePlace(RuntimeException fault) {
        return fault instanceof ExecutorException || fault instanceof WorktreeMismatchException;
    }

    @Override
    public void onEvent(SessionEvent event) {
        view.onEvent(event);
        if (event instanceof SessionEvent.RunStarted) {
            abortIfUnwanted();
        }
        if (view.isUnread()) {
            finish(128 + Signal.PIPE.number());
        }
    }

    private synchronized Optional<Integer> verdict() {
        return verdict;
    }

    private synchronized void setAtWork(boolean value) {
        isAtWork = value;
        isUnwanted &= !value;
    }

    private synchronized boolean isUnwanted() {
        return isUnwanted;
    }

    private synchronized void abortIfUnwanted() {
        if (isUnwanted || verdict.isPresent()) {
            session.ifPresent(AgentSession::abort);
        }
    }

    private synchronized void finish(int exitCode) {
        verdict = verdict.or(() -> Optional.of(exitCode));
        session.ifPresent(AgentSession::abort);
    }

    /**
     * Aborts the current prompt on Ctrl-C: at a terminal, the next prompt is read afterwards.
     * Another signal ends the session.
     */
    @Override
    public void end(int exitCode) {
        if (!endWork(exitCode)) {
            // The thread that reads a line cannot be woken; a shutdown hook closes the session.
            Runtime.getRuntime().exit(exitCode);
        }
    }

    /**
     * Checks whether a prompt runs and aborts it in one step: the next prompt must not be read in
     * between. Returns false if there is nothing to abort.
     */
    private synchronized boolean endWork(int exitCode) {
        if (!isAtWork && session.isPresent()) {
            return false;
        }
        if (exitCode == INTERRUPTED) {
            abort();
        } else {
            finish(exitCode);
        }
        return true;
    }

    private synchronized void abort() {
        isUnwanted = true;
        session.ifPresentOrElse(AgentSession::abort, () -> verdict = Optional.of(INTERRUPTED));
    }

    /** Disposes the executor at once: running commands get no more time than the disposal takes. */
    @Override
    public void endAtOnce() {
        finish(INTERRUPTED);
        Optional<CommandExecutor> place;
        boolean isIdle;
        synchronized (this) {
            place = executor;
            isIdle = !isAtWork;
        }
        place.ifPresent(CommandExecutor::dispose);
        if (isIdle) {
            Runtime.getRuntime().exit(INTERRUPTED);
        }
    }
}
