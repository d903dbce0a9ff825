package dev.paddock.cli.dialogue;

import dev.paddock.cli.command.Asking;
import dev.paddock.cli.editor.Editor;
import dev.paddock.cli.editor.FileMentions;
import dev.paddock.cli.editor.HistoryFile;
import dev.paddock.cli.editor.SlashCommands;
import dev.paddock.cli.terminal.Canvas;
import dev.paddock.cli.terminal.Console;
import dev.paddock.cli.terminal.InvocationContext;
import dev.paddock.cli.terminal.Style;
import dev.paddock.executor.HostApprover;
import dev.paddock.harness.approval.Approver;
import dev.paddock.harness.events.SessionEvent;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** The parts of a session at a terminal: the editor, the header, the commands, the approver. */
public final class Dialogue implements AutoCloseable {
    private static final List<String> KEYS = List.of(
            "@path         includes a file of the worktree; Tab completes its path",
            "\\ at the end  goes on in the next line, as Alt-Enter does",
            "Esc, Ctrl-C   stop a run; Ctrl-D ends the session");

    private final Editor editor;
    private final SessionHeader header;
    private final SessionModel model;
    private final SessionControl control;
    private final Style style;

    private Dialogue(Editor editor, SessionHeader header, SessionModel model, SessionControl control, Style style) {
        this.control = control;
        this.editor = editor;
        this.header = header;
        this.model = model;
        this.style = style;
    }

    /**
     * Creates the parts; the first prompt opens the terminal.
     *
     * @param control the session, once it is open
     * @param cost returns one line about the session's usage
     */
    public static Dialogue of(
            SessionScope scope,
            SessionModel model,
            SessionControl control,
            Supplier<String> cost,
            InvocationContext caller,
            Console console) {
        Style style = Style.of(caller);
        Late late = new Late();
        SessionHeader header = new SessionHeader(scope, style, late::width);
        SessionCommands commands = new SessionCommands(control, model, header, cost, style);
        Editor editor = new Editor(
                console,
                style,
                new SlashCommands(commands.all(late::end), KEYS),
                new FileMentions(scope::files),
                state(caller).flatMap(directory -> HistoryFile.prepare(directory.resolve("history"))),
                control,
                caller.variable("TERM").orElse("dumb"));
        late.editor = Optional.of(editor);
        return new Dialogue(editor, header, model, control, style);
    }

    /** Gives parts that are created earlier access to the editor. */
    private static final class Late {
        private volatile Optional<Editor> editor = Optional.empty();

        int width() {
            return editor.orElseThrow().width();
        }

        void end() {
            editor.orElseThrow().end();
        }
    }

    private static Optional<Path> state(InvocationContext caller) {
        Optional<Path> configured = caller.variable("XDG_STATE_HOME")
                .filter(path -> path.startsWith("/"))
                .map(Path::of);
        Optional<Path> home = caller.variable("HOME")
                .filter(path -> path.startsWith("/"))
                .map(path -> Path.of(path, ".local", "state"));
        return configured.or(() -> home).map(directory -> directory.resolve("paddock"));
    }

    /** Returns the next prompt; empty if there are no more. */
    public Optional<String> next() {
        return editor.next();
    }

    public Canvas canvas() {
        return editor;
    }

    /** Returns the lines that introduce the session, or the sandbox of a workspace that is now open. */
    public List<String> header(SessionEvent event) {
        return switch (event) {
            case SessionEvent.SessionStarted started -> header.lines(started, model.name());
            case SessionEvent.WorkspaceOpened opened -> header.opened(opened.executor(), opened.guarantees());
            default -> List.of();
        };
    }

    /** Returns an approver that asks a person. */
    public Approver approver(Asking asking) {
        return new PromptedApprover(editor, control, style, asking);
    }

    /** Returns an approver that asks about hosts that are not allowed. */
    public HostApprover hostApprover() {
        return PromptedHosts.at(editor, style);
    }

    @Override
    public void close() {
        editor.close();
    }
}
