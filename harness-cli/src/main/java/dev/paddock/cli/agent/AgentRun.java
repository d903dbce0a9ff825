package dev.paddock.cli.agent;

import dev.paddock.cli.dialogue.SessionControl;
import dev.paddock.cli.sessions.SessionList;
import dev.paddock.cli.sessions.SessionNote;
import dev.paddock.cli.terminal.Console;
import dev.paddock.cli.terminal.Interrupts;
import dev.paddock.cli.terminal.Printable;
import dev.paddock.cli.terminal.StandardOutput;
import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.ShellQuoting;
import dev.paddock.executor.Signal;
import dev.paddock.harness.AgentSession;
import dev.paddock.harness.events.RunOutcome;
import dev.paddock.harness.events.SessionEvent;
import dev.paddock.harness.events.SessionListener;
import dev.paddock.harness.model.ModelException;
import dev.paddock.harness.tools.WorktreeMismatchException;
import dev.paddock.harness.workspace.provider.WorkspaceException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/** Runs one session of {@code paddock agent}, from its first prompt to its exit code. */
final class AgentRun implements Interrupts.Work, SessionListener, SessionControl {
    private static final int MODEL_FAILED = 1;
    private static final int TURNS_USED_UP = 3;
    private static final int INTERRUPTED = 128 + Signal.INT.number();
    private static final String UNDO = "/undo";
    private static final String NO_CHECKPOINTS = """
            nothing to undo: /undo goes back to a snapshot of a workspace, taken before each prompt. To have it:
              paddock workspace open --copy .    # prints the workspace's ID
              paddock agent --workspace ID --checkpoint""";
    private static final String KEY_HINT =
            "; --key-env NAME names the variable that holds the key, such as OPENAI_API_KEY";

    private static final Duration SHOWN_PATIENCE = Duration.ofSeconds(2);

    private final Console console;
    private final Interrupts interrupts;
    private final Optional<Checkpoints> checkpoints;
    private final Supplier<SessionNote> note;
    private String keptNote = "";
    private volatile Optional<AgentView> view = Optional.empty();
    private final Set<String> shownCalls = new HashSet<>();
    private Optional<CommandExecutor> executor = Optional.empty();
    private Optional<AgentSession> session = Optional.empty();
    private Optional<Integer> verdict = Optional.empty();
    private boolean isAtWork;
    /** Whether to abort the current prompt, or one that is about to begin. */
    private boolean isUnwanted;

    /**
     * Creates a run.
     *
     * @param checkpoints takes snapshots before the prompts; empty for none
     * @param note returns the note that is stored with the session, to resume it
     */
    AgentRun(Console console, Interrupts interrupts, Optional<Checkpoints> checkpoints, Supplier<SessionNote> note) {
        this.checkpoints = checkpoints;
        this.note = note;
        this.console = console;
        this.interrupts = interrupts;
    }

    /** Shows the session's events from now on; called before the session is built. */
    void showIn(AgentView shown) {
        view = Optional.of(shown);
    }

    /**
     * Prompts the session until there are no more prompts. The caller passes signals to this object
     * from before the executor is opened.
     */
    int run(CommandExecutor owned, Supplier<AgentSession> opening, PromptSource prompts) {
        int exitCode = work(owned, opening, prompts);
        if (verdict().isPresent() || exitCode == INTERRUPTED) {
            // The usual exit flushes the output, which blocks forever if nobody reads it.
            interrupts.exit(console.exitCode(exitCode));
        }
        return exitCode;
    }

    private int work(CommandExecutor owned, Supplier<AgentSession> opening, PromptSource prompts) {
        try (CommandExecutor disposed = owned;
                AgentSession opened = opening.get()) {
            synchronized (this) {
                executor = Optional.of(disposed);
                session = Optional.of(opened);
            }
            int exitCode = promptAll(opened, prompts);
            view.ifPresent(AgentView::close);
            sayHowToGoOn(opened);
            return verdict().orElse(exitCode);
        }
    }

    private void sayHowToGoOn(AgentSession opened) {
        view.flatMap(AgentView::summary).ifPresent(cost -> {
            console.complain(cost);
            console.complain("to go on: paddock agent --resume " + name(opened));
        });
    }

    /** Returns the session's name for resuming: its id, or its directory if that is elsewhere. */
    private static String name(AgentSession opened) {
        Path directory = opened.directory();
        return SessionList.idOf(directory).orElseGet(() -> ShellQuoting.posix(List.of(directory.toString())));
    }

    private int promptAll(AgentSession opened, PromptSource prompts) {
        int exitCode = 0;
        while (verdict().isEmpty()) {
            interrupts.restartCount();
            Optional<String> prompt = prompts.next();
            // A verdict that arrived while the terminal was read ends the prompts.
            if (prompt.isEmpty() || verdict().isPresent()) {
                break;
            }
            if (prompts.asks() && prompt.get().strip().equals(UNDO)) {
                console.complain(undo());
                continue;
            }
            checkpoint(prompt.get());
            keepNote(opened);
            exitCode = prompt(opened, prompt.get());
            if (!prompts.asks()) {
                break;
            }
        }
        return exitCode;
    }

    /** Returns to the last checkpoint; returns what was done, for people. */
    private String undo(AgentSession opened) {
        return checkpoints.map(some -> some.undo(opened)).orElse(NO_CHECKPOINTS);
    }

    /** Stores the note for resuming; a failure does not end the session. */
    private void keepNote(AgentSession opened) {
        List<SessionNote.Checkpoint> left = checkpoints.map(Checkpoints::left).orElse(List.of());
        String now = note.get().with(left).json();
        try {
            if (!now.equals(keptNote)) {
                opened.keepNote(now);
                keptNote = now;
            }
        } catch (UncheckedIOException full) {
            console.complain(Console.text(full) + "; --resume will need the options of this call");
        }
    }

    @Override
    public boolean hasCheckpoints() {
        return checkpoints.isPresent();
    }

    @Override
    public String undo() {
        if (checkpoints.isEmpty()) {
            return NO_CHECKPOINTS;
        }
        Optional<AgentSession> opened = session();
        if (opened.isEmpty() || isAtWork()) {
            return "the model is still working: stop the run first";
        }
        String done = undo(opened.get());
        keepNote(opened.get());
        return done;
    }

    private void checkpoint(String prompt) {
        String fault = checkpoints.map(some -> some.before(prompt)).orElse("");
        if (!fault.isEmpty()) {
            console.complain(fault);
        }
    }

    private int prompt(AgentSession opened, String text) {
        setAtWork(true);
        RunOutcome outcome;
        try {
            outcome = opened.prompt(text);
        } finally {
            setAtWork(false);
        }
        outcome.failure()
                .ifPresent(fault ->
                        console.complain(Printable.text(Console.text(fault)) + (isOfTheKey(fault) ? KEY_HINT : "")));
        return switch (outcome.end()) {
            // The abort came too late for the run, but has cut its display short.
            case COMPLETED -> isUnwanted() ? INTERRUPTED : 0;
            case ABORTED -> INTERRUPTED;
            case MAX_TURNS -> {
                console.complain("the model was not done after " + outcome.turns()
                        + " turns; --max-turns grants more, and --resume goes on");
                yield TURNS_USED_UP;
            }
            case FAILED -> outcome.failure().filter(AgentRun::isOfSandbox).isPresent() ? Console.FAILED : MODEL_FAILED;
        };
    }

    private static boolean isOfTheKey(RuntimeException fault) {
        return fault instanceof ModelException refused && refused.kind() == ModelException.Kind.AUTHENTICATION;
    }

    private static boolean isOfSandbox(RuntimeException fault) {
        return fault instanceof ExecutorException
                || fault instanceof WorktreeMismatchException
                || fault instanceof WorkspaceException;
    }

    @Override
    public void onEvent(SessionEvent event) {
        view.ifPresent(shown -> shown.onEvent(event));
        if (event instanceof SessionEvent.RunStarted) {
            abortIfUnwanted();
        }
        if (event instanceof SessionEvent.ToolStarted started) {
            shown(started.call().id());
        }
        console.output().failure().map(StandardOutput::exitCode).ifPresent(this::finish);
    }

    @Override
    public synchronized Optional<AgentSession> session() {
        return session;
    }

    @Override
    public synchronized Optional<CommandExecutor> executor() {
        return executor;
    }

    private synchronized void shown(String callId) {
        shownCalls.add(callId);
        notifyAll();
    }

    @Override
    public synchronized void awaitShown(String callId) throws InterruptedException {
        long deadline = System.nanoTime() + SHOWN_PATIENCE.toNanos();
        long left = SHOWN_PATIENCE.toMillis();
        while (!shownCalls.contains(callId) && left > 0) {
            wait(left);
            left = (deadline - System.nanoTime()) / 1_000_000;
        }
        shownCalls.remove(callId);
    }

    @Override
    public synchronized boolean isAtWork() {
        return isAtWork;
    }

    @Override
    public synchronized void abort() {
        if (isAtWork) {
            abortPrompt();
        }
    }

    @Override
    public void interrupt() {
        interrupts.receive(Signal.INT);
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
            // The thread that reads a line cannot be interrupted; a shutdown hook closes the session.
            session().ifPresent(this::sayHowToGoOn);
            interrupts.exit(exitCode);
        }
    }

    /**
     * Checks whether a prompt runs and aborts it in one step: the next prompt must not be read in between. Returns
     * false if there is nothing to abort.
     */
    private synchronized boolean endWork(int exitCode) {
        if (!isAtWork && session.isPresent()) {
            return false;
        }
        if (exitCode == INTERRUPTED) {
            abortPrompt();
        } else {
            finish(exitCode);
        }
        return true;
    }

    private synchronized void abortPrompt() {
        isUnwanted = true;
        session.ifPresentOrElse(AgentSession::abort, () -> verdict = Optional.of(INTERRUPTED));
    }

    /** Disposes the executor at once: running commands get no more time than the disposal takes. */
    @Override
    public void endAtOnce() {
        finish(INTERRUPTED);
        Optional<CommandExecutor> opened;
        boolean isIdle;
        synchronized (this) {
            opened = executor;
            isIdle = !isAtWork;
        }
        opened.ifPresent(CommandExecutor::dispose);
        if (isIdle) {
            session().ifPresent(this::sayHowToGoOn);
            interrupts.exit(INTERRUPTED);
        }
    }
}
