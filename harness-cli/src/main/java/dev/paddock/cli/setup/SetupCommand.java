package dev.paddock.cli.setup;

import dev.paddock.cli.command.Arguments;
import dev.paddock.cli.command.Manual;
import dev.paddock.cli.command.Option;
import dev.paddock.cli.command.Subcommand;
import dev.paddock.cli.command.UsageException;
import dev.paddock.cli.setup.document.SettingsRefusedException;
import dev.paddock.cli.terminal.Console;
import dev.paddock.cli.terminal.InvocationContext;
import dev.paddock.cli.terminal.Printable;
import dev.paddock.cli.terminal.Style;
import dev.paddock.executor.config.spelling.Spelling;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Implements {@code paddock setup}: adds Paddock to the settings of an agent, or of an editor. */
public final class SetupCommand implements Subcommand {
    private static final Option PROJECT =
            Option.flag("--project", "changes the settings of the project in the current directory");
    private static final Option USER =
            Option.flag("--user", "changes your own settings, for all projects: the default");
    private static final Option UNDO = Option.flag("--undo", "takes back the changes of setup");
    private static final Option YES = Option.flag("--yes", "does not ask; for scripts");
    private static final Option DRY_RUN = Option.flag("--dry-run", "shows the changes, and writes nothing");

    private final Console console;

    public SetupCommand(Console console) {
        this.console = console;
    }

    @Override
    public String name() {
        return "setup";
    }

    @Override
    public String summary() {
        return "enters Paddock into the settings of an agent or an editor";
    }

    @Override
    public List<Option> options() {
        return List.of(PROJECT, USER, UNDO, YES, DRY_RUN);
    }

    @Override
    public List<String> operands() {
        return Client.words();
    }

    @Override
    public Manual manual() {
        return new Manual(List.of("paddock setup " + String.join("|", Client.words()) + " [options]"), """
                Enters the MCP server 'paddock mcp' into the settings of Claude Code, codex,
                Cursor or VS Code, and switches the agent's own shell and file tools off where
                its settings can; or the agent 'paddock acp' into those of Zed or JetBrains.
                Shows the change, and asks before it writes.
                """, """
                Comments, order and line ends of the files stay. --undo takes back exactly what
                setup has changed, and keeps what you have changed since. VS Code has settings
                for projects only.

                Exit codes: 0, also if nothing is left to do; 1 if a file cannot be changed, or
                you did not agree: no file is changed then, unless the message says so.
                """);
    }

    @Override
    public int run(Arguments arguments, InvocationContext caller) {
        Client client = client(arguments.operands());
        if (arguments.has(PROJECT) && arguments.has(USER)) {
            throw new UsageException("--project and --user exclude each other");
        }
        boolean isProject = arguments.has(PROJECT) || (client.isForProjects() && !arguments.has(USER));
        try {
            // Undo reads the records, whatever the launcher.
            String launcher = arguments.has(UNDO) ? "" : Locations.launcher(caller);
            List<Target> targets =
                    isProject ? client.project(Locations.project(caller), launcher) : client.user(caller, launcher);
            UndoRecords records = new UndoRecords(caller);
            return arguments.has(UNDO)
                    ? undo(targets, records, arguments, caller)
                    : setUp(client, isProject, targets, records, arguments, caller);
        } catch (SettingsRefusedException refusal) {
            console.complain(Console.text(refusal));
            return 1;
        }
    }

    private static Client client(List<String> operands) {
        String known = String.join(", ", Client.words());
        if (operands.size() != 1) {
            throw new UsageException("give one agent: " + known);
        }
        String word = operands.getFirst();
        return Client.of(word.toLowerCase(Locale.ROOT)).orElseThrow(() -> {
            String hint = Spelling.nearest(word, Client.words())
                    .map(similar -> "; did you mean " + similar + "?")
                    .orElse("");
            return new UsageException("no settings are known of '" + word + "', only of " + known + hint);
        });
    }

    private int setUp(
            Client client,
            boolean isProject,
            List<Target> targets,
            UndoRecords records,
            Arguments arguments,
            InvocationContext caller) {
        List<FileChange> changes = targets.stream()
                .flatMap(target -> FileChange.setUp(target, records).stream())
                .toList();
        if (changes.isEmpty()) {
            say(client.word() + " is already set up: " + files(targets));
        } else if (!carryOut(changes, records, arguments, caller)) {
            return arguments.has(DRY_RUN) ? 0 : 1;
        } else {
            say("set up " + client.word() + "; 'paddock setup " + client.word() + (isProject ? " --project" : " --user")
                    + " --undo' takes it back");
        }
        client.byHand(isProject).forEach(this::say);
        return 0;
    }

    private int undo(List<Target> targets, UndoRecords records, Arguments arguments, InvocationContext caller) {
        List<FileChange> changes = new ArrayList<>();
        for (Target target : targets) {
            records.find(target.file()).ifPresent(record -> changes.add(FileChange.undo(target, record)));
        }
        if (changes.isEmpty()) {
            throw new SettingsRefusedException("setup has changed nothing, or nothing is left of it, in "
                    + files(targets) + "; an entry '" + Client.NAME + "' there is yours to remove");
        }
        if (!carryOut(changes, records, arguments, caller)) {
            return arguments.has(DRY_RUN) ? 0 : 1;
        }
        say("took back the changes of setup");
        return 0;
    }

    /** Shows changes, asks, and carries them out; returns whether it has. */
    private boolean carryOut(
            List<FileChange> changes, UndoRecords records, Arguments arguments, InvocationContext caller) {
        Style style = Style.of(caller);
        changes.stream().flatMap(change -> change.notes().stream()).forEach(this::say);
        for (FileChange change : changes) {
            change.diff().forEach(line -> console.out().println(colored(Printable.text(line), style)));
        }
        if (arguments.has(DRY_RUN) || (!arguments.has(YES) && !isAgreed(caller))) {
            return false;
        }
        int written = 0;
        for (FileChange change : changes) {
            try {
                change.apply(records);
                written++;
            } catch (SettingsRefusedException refusal) {
                throw new SettingsRefusedException(Console.text(refusal)
                        + (written == 0 ? "" : "; " + changes.getFirst().file().path() + " has been changed already"));
            }
        }
        return true;
    }

    private boolean isAgreed(InvocationContext caller) {
        if (!caller.leadsToTerminal(0)) {
            console.complain("nothing was written: standard input is no terminal, so that setup cannot ask; give --yes"
                    + " to write these changes, or --dry-run to see them alone");
            return false;
        }
        console.out().print("Write these changes? [y/N] ");
        console.out().flush();
        boolean agreed =
                answer(caller).filter(text -> text.matches("(?i)y(es)?")).isPresent();
        if (!agreed) {
            say("nothing was written");
        }
        return agreed;
    }

    private static Optional<String> answer(InvocationContext caller) {
        try {
            @Nullable
            String line =
                    new BufferedReader(new InputStreamReader(caller.streams().in(), StandardCharsets.UTF_8)).readLine();
            return Optional.ofNullable(line).map(String::strip);
        } catch (IOException ended) {
            return Optional.empty();
        }
    }

    private static String colored(String line, Style style) {
        if (line.startsWith("---") || line.startsWith("+++")) {
            return style.bold(line);
        }
        return line.startsWith("+") ? style.good(line) : line.startsWith("-") ? style.bad(line) : line;
    }

    private static String files(List<Target> targets) {
        return String.join(
                " and ",
                targets.stream().map(target -> target.file().toString()).toList());
    }

    private void say(String message) {
        console.out().println(Printable.text(message));
    }
}
