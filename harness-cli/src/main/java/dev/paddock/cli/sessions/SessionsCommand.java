package dev.paddock.cli.sessions;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.paddock.cli.command.Arguments;
import dev.paddock.cli.command.Manual;
import dev.paddock.cli.command.Numbers;
import dev.paddock.cli.command.Option;
import dev.paddock.cli.command.Subcommand;
import dev.paddock.cli.command.UsageException;
import dev.paddock.cli.terminal.Console;
import dev.paddock.cli.terminal.Interrupts;
import dev.paddock.cli.terminal.InvocationContext;
import dev.paddock.cli.terminal.Printable;
import dev.paddock.cli.terminal.Style;
import dev.paddock.executor.path.FileFaults;
import dev.paddock.harness.StoredSession;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** Implements {@code paddock sessions}: lists, shows, exports and removes the sessions of the agent. */
public final class SessionsCommand implements Subcommand {
    private static final List<String> ACTIONS = List.of("list", "show", "export", "rm");
    private static final Option JSON = Option.flag("--json", "list: writes each session as one line of JSON");
    private static final Option OUTPUT = Option.of(
            "--output", "FILE", "export: writes a new file that only you can read, in", "place of standard output");
    private static final Option DAYS =
            Option.of("--unused-for", "DAYS", "rm: the sessions that were not used for DAYS days");
    private static final int TITLE_COLUMNS = 50;
    private static final int MODEL_COLUMNS = 28;

    private final Console console;

    public SessionsCommand(Console console) {
        this.console = console;
    }

    @Override
    public String name() {
        return "sessions";
    }

    @Override
    public String summary() {
        return "lists, shows, exports and removes the agent's sessions";
    }

    @Override
    public List<Option> options() {
        return List.of(JSON, OUTPUT, DAYS);
    }

    @Override
    public List<String> operands() {
        return ACTIONS;
    }

    @Override
    public Manual manual() {
        return new Manual(
                List.of(
                        "paddock sessions list [--json]",
                        "paddock sessions show SESSION",
                        "paddock sessions export SESSION [--output FILE]",
                        "paddock sessions rm SESSION ...",
                        "paddock sessions rm --unused-for DAYS"),
                """
                list shows the sessions that paddock agent has kept, the last used first.
                show prints a session's conversation.
                export writes it as one HTML page, which needs no other file and runs nothing.
                rm removes sessions with their logs; one that is in use stays.
                SESSION is its id or the beginning of it, 'last', or a session's directory.
                """,
                """
                'paddock agent --resume SESSION' goes on with a session.

                Exit codes: 0; 1 if a session could not be read or removed; 2 for a mistake in
                the options, or a session that does not exist.
                """);
    }

    @Override
    public int run(Arguments arguments, InvocationContext caller) {
        List<String> operands = arguments.operands();
        if (operands.isEmpty() || !ACTIONS.contains(operands.getFirst())) {
            throw new UsageException("give one of " + String.join(", ", ACTIONS)
                    + (operands.isEmpty() ? "" : ", not '" + operands.getFirst() + "'"));
        }
        Interrupts.catching(console);
        String action = operands.getFirst();
        List<String> names = operands.subList(1, operands.size());
        refuse(arguments, JSON, action.equals("list"));
        refuse(arguments, OUTPUT, action.equals("export"));
        refuse(arguments, DAYS, action.equals("rm"));
        return switch (action) {
            case "list" -> list(arguments, names);
            case "show" ->
                read(one(action, names, caller), session -> {
                    TranscriptText.lines(session, SessionNote.of(session), Style.of(caller))
                            .forEach(console.out()::println);
                    return 0;
                });
            case "export" ->
                read(one(action, names, caller), session -> export(session, arguments.value(OUTPUT), caller));
            default -> remove(arguments, names, caller);
        };
    }

    private static void refuse(Arguments arguments, Option option, boolean isFitting) {
        if (arguments.has(option) && !isFitting) {
            throw new UsageException(option.name() + " is for another action: "
                    + String.join(" ", option.help()).split(":", 2)[0]);
        }
    }

    private static StoredSession one(String action, List<String> names, InvocationContext caller) {
        if (names.size() != 1) {
            throw new UsageException("'sessions " + action + "' takes one session: paddock sessions " + action
                    + " SESSION ('paddock sessions list' shows them)");
        }
        return SessionList.find(names.getFirst(), caller);
    }

    private int list(Arguments arguments, List<String> names) {
        if (!names.isEmpty()) {
            throw new UsageException("unexpected argument '" + names.getFirst() + "'");
        }
        List<StoredSession> all = SessionList.all();
        if (arguments.has(JSON)) {
            all.forEach(session -> console.out().println(json(session)));
            return 0;
        }
        if (all.isEmpty()) {
            console.complain("there are no sessions yet; 'paddock agent' begins one");
        }
        for (StoredSession session : all) {
            SessionNote note = SessionNote.of(session);
            String model =
                    note.model().map(one -> one.provider() + " " + one.name()).orElse("-");
            String place = note.workspace()
                    .map(id -> "workspace " + id)
                    .or(note::worktree)
                    .orElse("-");
            console.out()
                    .println(Printable.text(session.id()) + "  " + SessionList.time(session.lastUsed()) + "  "
                            + padded(Printable.line(model, MODEL_COLUMNS)) + "  "
                            + SessionList.title(session, TITLE_COLUMNS) + "  ("
                            + Printable.text(place).replace('\n', ' ') + ")");
        }
        return 0;
    }

    private static String padded(String text) {
        return text + " ".repeat(Math.max(0, MODEL_COLUMNS - Style.columns(text)));
    }

    private static String json(StoredSession session) {
        SessionNote note = SessionNote.of(session);
        ObjectNode node = JsonNodeFactory.instance
                .objectNode()
                .put("id", session.id())
                .put("directory", session.directory().toString())
                .put("used", session.lastUsed().toString());
        session.firstPrompt().ifPresent(text -> node.put("prompt", text));
        note.worktree().ifPresent(path -> node.put("worktree", path));
        note.workspace().ifPresent(id -> node.put("workspace", id));
        note.model().ifPresent(model -> node.put("provider", model.provider()).put("model", model.name()));
        return node.toString();
    }

    private int read(StoredSession session, Function<StoredSession, Integer> action) {
        try {
            return action.apply(session);
        } catch (UncheckedIOException | IllegalStateException unreadable) {
            console.complain(Console.text(unreadable));
            return 1;
        }
    }

    private int export(StoredSession session, Optional<String> output, InvocationContext caller) {
        String page = TranscriptPage.of(session, SessionNote.of(session));
        byte[] bytes = page.getBytes(StandardCharsets.UTF_8);
        if (output.isEmpty()) {
            console.out().write(bytes, 0, bytes.length);
            console.out().flush();
            return 0;
        }
        Path file;
        try {
            file = caller.directory().resolve(output.get());
        } catch (InvalidPathException noPath) {
            throw new UsageException(OUTPUT.name() + ": not a path: '" + noPath.getInput() + "'");
        }
        try {
            write(file, bytes);
        } catch (FileAlreadyExistsException there) {
            throw new UsageException(file + " exists already; name another file with " + OUTPUT.name());
        } catch (IOException fault) {
            throw new UsageException(file + " cannot be written (" + FileFaults.reason(fault)
                    + "); name another file with " + OUTPUT.name());
        }
        console.out().println("wrote " + file);
        return 0;
    }

    /** Writes to the file that it creates, even if a command replaces the path meanwhile. */
    private static void write(Path file, byte[] bytes) throws IOException {
        try (SeekableByteChannel created = Files.newByteChannel(
                file,
                Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")))) {
            for (ByteBuffer left = ByteBuffer.wrap(bytes); left.hasRemaining(); ) {
                created.write(left);
            }
        }
    }

    private int remove(Arguments arguments, List<String> names, InvocationContext caller) {
        Optional<String> days = arguments.value(DAYS);
        if (days.isPresent() != names.isEmpty()) {
            throw new UsageException("name the sessions to remove, or give " + DAYS.name() + " DAYS: one of them");
        }
        List<StoredSession> doomed = new ArrayList<>();
        if (days.isPresent()) {
            Instant before = Instant.now().minus(Duration.ofDays(Numbers.positive(DAYS, days.get())));
            SessionList.all().stream()
                    .filter(session -> session.lastUsed().isBefore(before))
                    .forEach(doomed::add);
        } else {
            // Find all of them before removing one.
            names.forEach(name -> doomed.add(SessionList.find(name, caller)));
        }
        int exitCode = 0;
        for (StoredSession session : doomed) {
            exitCode = Math.max(exitCode, read(session, this::remove));
        }
        if (doomed.isEmpty()) {
            console.out().println("nothing to remove");
        }
        return exitCode;
    }

    private int remove(StoredSession session) {
        boolean isWhole = session.remove();
        console.out()
                .println("removed " + Printable.text(session.id())
                        + (isWhole
                                ? ""
                                : "; other files stay in "
                                        + Printable.text(session.directory().toString())));
        return 0;
    }
}
