package dev.paddock.cli.agent;

import dev.paddock.cli.command.Arguments;
import dev.paddock.cli.command.ExecutionOptions;
import dev.paddock.cli.command.Option;
import dev.paddock.cli.command.UsageException;
import dev.paddock.cli.sessions.SessionList;
import dev.paddock.cli.sessions.SessionNote;
import dev.paddock.cli.terminal.Console;
import dev.paddock.cli.terminal.InvocationContext;
import dev.paddock.harness.StoredSession;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Chooses the session to resume: the named one, the last one, or the picked one. */
final class ResumeChoice {
    static final Option RESUME = Option.optional(
            "--resume",
            "SESSION",
            "goes on with a session: its id, the beginning of it, its",
            "directory, or 'last', the last one of this worktree; at a",
            "terminal, without a value, asks which one");

    private static final int MAX_OFFERED = 9;
    private static final int TITLE_COLUMNS = 48;
    private static final int MAX_ANSWER_LENGTH = 80;

    private ResumeChoice() {}

    /**
     * Returns the session; empty if none is to be resumed.
     *
     * @throws UsageException if it does not exist, or belongs to another worktree
     */
    static Optional<StoredSession> read(Arguments arguments, InvocationContext caller, Console console) {
        Optional<String> given = arguments.value(RESUME);
        if (given.isEmpty()) {
            return Optional.empty();
        }
        String word = given.get();
        if (!word.isEmpty() && !word.equals(SessionList.LAST)) {
            StoredSession named = SessionList.find(word, caller);
            requireWorktree(named, arguments, caller);
            return Optional.of(named);
        }
        List<StoredSession> here = candidates(arguments, caller);
        boolean isAsked = word.isEmpty()
                && here.size() > 1
                && Prompts.areTyped(arguments)
                && caller.leadsToTerminal(0)
                && caller.leadsToTerminal(2);
        return Optional.of(isAsked ? pick(here, caller, console) : here.getFirst());
    }

    private static List<StoredSession> candidates(Arguments arguments, InvocationContext caller) {
        Optional<String> workspace = arguments.value(AgentWorkspace.WORKSPACE);
        List<StoredSession> found = workspace.isPresent()
                ? SessionList.ofWorkspace(workspace.get())
                : SessionList.of(ExecutionOptions.worktree(arguments, caller));
        if (found.isEmpty()) {
            String place = workspace
                    .map(id -> "the workspace '" + id + "'")
                    .orElseGet(() -> "'" + ExecutionOptions.worktree(arguments, caller) + "'");
            throw new UsageException("there is no session of " + place + " yet; 'paddock sessions list' shows all, and "
                    + "--resume SESSION goes on with one of them");
        }
        return found;
    }

    /** Refuses another worktree: paths in the conversation would lead to other files there. */
    private static void requireWorktree(StoredSession session, Arguments arguments, InvocationContext caller) {
        SessionNote note = SessionNote.of(session);
        Optional<String> worktree =
                note.worktree().filter(path -> note.workspace().isEmpty());
        if (worktree.isEmpty() || ExecutionOptions.namesWorktree(arguments)) {
            return;
        }
        Path here = ExecutionOptions.worktree(arguments, caller);
        if (!worktree.get().equals(here.toString())) {
            throw new UsageException("the session " + session.id() + " worked in '" + worktree.get()
                    + "', and this is '" + here + "': go on there, or say --worktree . to go on here");
        }
    }

    private static StoredSession pick(List<StoredSession> here, InvocationContext caller, Console console) {
        List<StoredSession> offered = here.subList(0, Math.min(MAX_OFFERED, here.size()));
        for (int at = 0; at < offered.size(); at++) {
            StoredSession session = offered.get(at);
            console.err()
                    .println("  " + (at + 1) + "  " + SessionList.time(session.lastUsed()) + "  "
                            + SessionList.title(session, TITLE_COLUMNS));
        }
        if (here.size() > MAX_OFFERED) {
            console.err().println("  and " + (here.size() - MAX_OFFERED) + " more: 'paddock sessions list' shows them");
        }
        while (true) {
            console.err().print("go on with which one? 1 to " + offered.size() + ", Enter for 1: ");
            console.err().flush();
            Optional<String> answer = line(caller.streams().in());
            if (answer.isEmpty()) {
                throw new UsageException("no session was picked: give --resume SESSION");
            }
            String text = answer.get().strip();
            if (text.isEmpty()) {
                return offered.getFirst();
            }
            if (text.matches("[1-9]") && Integer.parseInt(text) <= offered.size()) {
                return offered.get(Integer.parseInt(text) - 1);
            }
        }
    }

    /** Reads one line and no byte after it, which the line editor reads; empty at the input's end. */
    private static Optional<String> line(InputStream from) {
        StringBuilder line = new StringBuilder();
        try {
            for (int next = from.read(); next != '\n'; next = from.read()) {
                if (next < 0) {
                    return Optional.empty();
                }
                if (line.length() < MAX_ANSWER_LENGTH) {
                    line.append((char) next);
                }
            }
        } catch (IOException closed) {
            return Optional.empty();
        }
        return Optional.of(line.toString());
    }
}
