package dev.paddock.cli.dialogue;

import dev.paddock.cli.editor.SlashCommand;
import dev.paddock.cli.sessions.SessionList;
import dev.paddock.cli.terminal.Console;
import dev.paddock.cli.terminal.DiffText;
import dev.paddock.cli.terminal.Printable;
import dev.paddock.cli.terminal.Style;
import dev.paddock.cli.terminal.Words;
import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.CommandResult;
import dev.paddock.executor.RunOptions;
import dev.paddock.executor.ShellQuoting;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.harness.AgentSession;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Supplier;

/** The commands of a session at a terminal. A new one is an entry in {@link #all}. */
final class SessionCommands {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final int DIFF_LINES = 400;
    private static final String DIFF = "git --no-pager diff --no-color --no-ext-diff --no-textconv HEAD --";
    private static final String NOT_OPEN = "the session is not open yet";

    private final SessionControl control;
    private final SessionModel model;
    private final SessionHeader header;
    private final Supplier<String> cost;
    private final Style style;

    SessionCommands(
            SessionControl control, SessionModel model, SessionHeader header, Supplier<String> cost, Style style) {
        this.control = control;
        this.model = model;
        this.header = header;
        this.cost = cost;
        this.style = style;
    }

    /**
     * Returns the commands, in the order of the help.
     *
     * @param quit ends the conversation
     */
    List<SlashCommand> all(Runnable quit) {
        List<SlashCommand> commands = new ArrayList<>(List.of(
                new SlashCommand("/model", "[NAME]", "shows the model, or takes another one", this::model),
                new SlashCommand("/diff", "", "shows what differs from the last commit", none -> inSession(this::diff)),
                new SlashCommand("/sandbox", "", "shows what commands can reach", none -> inSession(this::sandbox)),
                new SlashCommand("/cost", "", "shows the turns, the time and the tokens", none -> List.of(cost.get())),
                new SlashCommand("/resume", "", "shows how to go on later", none -> inSession(this::resume)),
                new SlashCommand("/quit", "", "ends the session after the queued prompts", none -> {
                    quit.run();
                    return List.of();
                })));
        String summary = "puts the files back to before the last prompt"
                + (control.hasCheckpoints() ? "" : "; needs --workspace ID --checkpoint");
        commands.add(2, new SlashCommand("/undo", "", summary, none -> undo()));
        return List.copyOf(commands);
    }

    private List<String> undo() {
        return Printable.text(control.undo())
                .lines()
                .flatMap(line -> Words.wrap("", "", line, header.columns()).stream())
                .toList();
    }

    private List<String> inSession(BiFunction<AgentSession, CommandExecutor, List<String>> action) {
        Optional<AgentSession> session = control.session();
        Optional<CommandExecutor> executor = control.executor();
        if (session.isEmpty() || executor.isEmpty()) {
            return List.of(NOT_OPEN);
        }
        try {
            return action.apply(session.get(), executor.get());
        } catch (RuntimeException failure) {
            return List.of(Printable.text(Console.text(failure)));
        }
    }

    private List<String> model(String name) {
        return name.isEmpty() ? List.of(Printable.text(model.name())) : model.replace(name);
    }

    private List<String> sandbox(AgentSession session, CommandExecutor executor) {
        PathMapping opened = session.worktree(); // a workspace's sandbox is known once it is open
        List<String> lines = new ArrayList<>(header.sandbox(executor.name(), executor.guarantees()));
        if (!opened.isSame()) {
            lines.add("  commands see the worktree at " + Printable.text(opened.commandPath()));
        }
        return lines;
    }

    private List<String> resume(AgentSession session, CommandExecutor executor) {
        String directory = session.directory().toString();
        String word = SessionList.idOf(session.directory()).orElseGet(() -> ShellQuoting.posix(List.of(directory)));
        return List.of(
                "paddock agent --resume " + Printable.text(word) + " goes on, with the same model",
                Printable.text(directory));
    }

    /** Runs git in the sandbox: the worktree's own configuration can name programs for it to run. */
    private List<String> diff(AgentSession session, CommandExecutor executor) {
        try {
            RunOptions options = RunOptions.in(session.worktree().commandPath()).timeout(PATIENCE);
            CommandResult result = executor.run(DIFF, options);
            String text = result.outText();
            if (result.status().filter(status -> status.code() == 0).isEmpty()) {
                String reason = new String(result.err(), java.nio.charset.StandardCharsets.UTF_8).strip();
                return List.of("git shows no difference: " + Printable.text(reason.isEmpty() ? text : reason));
            }
            return text.isBlank()
                    ? List.of("nothing differs from the last commit; new files are not listed")
                    : new DiffText(style).lines(text, DIFF_LINES, Integer.MAX_VALUE);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return List.of();
        }
    }
}
