package dev.paddock.cli.workspace;

import dev.paddock.cli.audit.CommandLineAudit;
import dev.paddock.cli.command.Arguments;
import dev.paddock.cli.command.ExecutionOptions;
import dev.paddock.cli.command.LateObservers;
import dev.paddock.cli.command.Manual;
import dev.paddock.cli.command.Numbers;
import dev.paddock.cli.command.Option;
import dev.paddock.cli.command.SandboxFlags;
import dev.paddock.cli.command.Subcommand;
import dev.paddock.cli.command.UsageException;
import dev.paddock.cli.terminal.Console;
import dev.paddock.cli.terminal.Interrupts;
import dev.paddock.cli.terminal.InvocationContext;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.config.spelling.Spelling;
import dev.paddock.harness.workspace.SnapshotInfo;
import dev.paddock.harness.workspace.directory.WorkspaceEntry;
import dev.paddock.harness.workspace.provider.Workspace;
import dev.paddock.harness.workspace.provider.WorkspaceConfig;
import dev.paddock.harness.workspace.provider.WorkspaceException;
import dev.paddock.harness.workspace.provider.WorkspaceFailedException;
import dev.paddock.harness.workspace.provider.WorkspaceRef;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Implements {@code paddock workspace}: directories with sandboxes of their own, and snapshots of them. */
public final class WorkspaceCommand implements Subcommand {
    private static final List<String> ACTIONS = List.of(
            "open", "list", "exec", "shell", "snapshot", "snapshots", "diff", "restore", "branch", "close", "gc");

    /** The actions that start a sandbox, and so read the configuration. */
    private static final List<String> STARTING = List.of("open", "exec", "shell");

    private static final Option LABEL = Option.of("--label", "TEXT", "snapshot: a text to recognize it by");
    private static final Option IN_PLACE = Option.flag(
            "--in-place", "restore: puts the workspace's own files back instead of", "making another workspace");
    private static final Option UNUSED =
            Option.of("--unused", "DAYS", "gc: removes those that have been unused for so long");
    private static final Option DRY_RUN = Option.flag("--dry-run", "gc: shows them, and removes nothing");
    private static final Option JSON = Option.flag("--json", "writes the result as one line of JSON");

    private static final String SHELL = "if command -v bash >/dev/null 2>&1; then exec bash; else exec sh; fi";

    private final Console console;
    private final ForegroundCommand foreground;

    /**
     * Creates the subcommand.
     *
     * @param foreground runs the commands of {@code exec} and {@code shell}
     */
    public WorkspaceCommand(Console console, ForegroundCommand foreground) {
        this.console = console;
        this.foreground = foreground;
    }

    @Override
    public String name() {
        return "workspace";
    }

    @Override
    public String summary() {
        return "keeps directories with sandboxes, and snapshots of them";
    }

    @Override
    public List<Option> options() {
        return Stream.of(
                        OpenOptions.ALL,
                        foreground.runOptions(),
                        SandboxFlags.OF_WORKSPACES,
                        List.of(LABEL, IN_PLACE, UNUSED, DRY_RUN, JSON))
                .flatMap(List::stream)
                .toList();
    }

    @Override
    public List<String> operands() {
        return ACTIONS;
    }

    /** The words of a command follow the action and the workspace. */
    @Override
    public int leadingOperands(List<String> words) {
        return words.stream()
                        .filter(word -> !word.startsWith("-"))
                        .findFirst()
                        .orElse("")
                        .equals("exec")
                ? 2
                : Integer.MAX_VALUE;
    }

    @Override
    public Manual manual() {
        return new Manual(
                List.of(
                        "paddock workspace open [--copy DIR] [--image IMAGE] [options]",
                        "paddock workspace list",
                        "paddock workspace exec ID [options] [--] COMMAND [ARG...]",
                        "paddock workspace shell ID [options]",
                        "paddock workspace snapshot ID [--label TEXT]",
                        "paddock workspace snapshots ID",
                        "paddock workspace diff ID [SNAPSHOT [SNAPSHOT]]",
                        "paddock workspace restore ID SNAPSHOT [--in-place]",
                        "paddock workspace branch ID",
                        "paddock workspace close ID",
                        "paddock workspace gc --unused DAYS [--dry-run]"),
                """
                A workspace is a directory and the sandbox in which its commands run. It is kept
                until it is closed, and found again by its id or the beginning of it.
                open makes one and prints its id. exec and shell run commands in it.
                snapshot keeps the files as they are. diff compares two snapshots, or one (by
                default the last) with the files. restore and branch make another workspace with
                the files of a snapshot, or of this one, and print its id.
                close removes a workspace and its snapshots.
                """,
                """
                Exit codes: 0; of exec and shell the command's own, as with paddock exec; 125 if
                the workspace could not be used; 2 for a mistake in the options or the id.

                  id=$(paddock workspace open --copy .)
                  paddock workspace exec $id -- make test
                  paddock workspace diff $id
                """);
    }

    @Override
    public int run(Arguments arguments, InvocationContext caller) {
        List<String> words = arguments.operands();
        if (words.isEmpty()) {
            throw new UsageException("give one of " + String.join(", ", ACTIONS));
        }
        Interrupts interrupts = Interrupts.catching(console);
        Call call = new Call(
                arguments,
                caller,
                STARTING.contains(words.getFirst())
                        ? Workspaces.granting(arguments, caller, console)
                        : Workspaces.of(caller),
                new Output(console.out(), arguments.has(JSON)),
                words.subList(1, words.size()));
        try {
            return run(words.getFirst(), call, interrupts);
        } catch (WorkspaceException | IOException fault) {
            console.complain(Console.text(fault));
            console.detail(fault);
            return Console.FAILED;
        }
    }

    /** The parameters of one call, and the destination of its result. */
    private record Call(
            Arguments arguments,
            InvocationContext caller,
            Workspaces workspaces,
            Output output,
            List<String> operands) {

        /** Requires this many operands, the first of which names a workspace. */
        WorkspaceEntry workspace(int least, int most) {
            if (operands.size() < least || operands.size() > most) {
                throw new UsageException(
                        operands.isEmpty()
                                ? "name a workspace; 'paddock workspace list' shows them"
                                : operands.size() < least
                                        ? "name a snapshot, too; 'paddock workspace snapshots " + operands.getFirst()
                                                + "' shows them"
                                        : "unexpected argument '" + operands.get(most) + "'");
            }
            return workspaces.find(operands.getFirst());
        }

        WorkspaceEntry workspace() {
            return workspace(1, 1);
        }

        void requireNoOperands() {
            if (!operands.isEmpty()) {
                throw new UsageException("unexpected argument '" + operands.getFirst() + "'");
            }
        }

        /** Returns the new workspace of a reference. */
        WorkspaceEntry made(WorkspaceRef ref) {
            return workspaces.find(ref.payload().getOrDefault("id", ""));
        }
    }

    private int run(String action, Call call, Interrupts interrupts) throws IOException {
        switch (action) {
            case "open" -> open(call);
            case "list" -> {
                call.requireNoOperands();
                call.output().workspaces(call.workspaces().list());
            }
            case "exec" -> {
                WorkspaceEntry entry = call.workspace(1, Integer.MAX_VALUE);
                List<String> words = call.operands().subList(1, call.operands().size());
                return run(entry, foreground.command(call.arguments(), words), call, interrupts);
            }
            case "shell" -> {
                return run(call.workspace(), SHELL, call, interrupts);
            }
            case "snapshot" -> snapshot(call);
            case "snapshots" ->
                call.output().snapshots(call.workspaces().snapshots(call.workspace(), all -> all.list()));
            case "diff" -> diff(call);
            case "restore" -> restore(call);
            case "branch" -> {
                WorkspaceEntry entry = call.workspace();
                call.output()
                        .workspace(call.made(copying(
                                "copying the workspace",
                                () -> call.workspaces().snapshots(entry, all -> all.branch()))));
            }
            case "close" -> {
                WorkspaceEntry entry = call.workspace();
                copying("removing the workspace", () -> {
                    call.workspaces().provider(entry.ref().kind()).remove(entry.ref());
                    return entry;
                });
                call.output().done("closed", entry.id());
            }
            case "gc" -> gc(call);
            default ->
                throw new UsageException("there is no 'workspace " + action + "'"
                        + Spelling.nearest(action, ACTIONS)
                                .map(similar -> "; did you mean '" + similar + "'?")
                                .orElse(", only " + String.join(", ", ACTIONS)));
        }
        return 0;
    }

    private <T> T copying(String task, Waiting.Copy<T> copy) throws IOException {
        return Waiting.during(task, console, copy);
    }

    private void open(Call call) throws IOException {
        call.requireNoOperands();
        Optional<Path> source = OpenOptions.source(call.arguments(), call.caller());
        WorkspaceConfig config = OpenOptions.config(call.arguments(), call.caller(), source);
        Workspace opened = copying(source.map(from -> "copying " + from).orElse("opening the workspace"), () -> {
            try {
                return call.workspaces().provider(config.kind()).open(config);
            } catch (IllegalArgumentException refused) {
                throw new UsageException(Console.text(refused));
            }
        });
        opened.suspend();
        call.output().workspace(call.made(opened.ref()));
    }

    private int run(WorkspaceEntry entry, String command, Call call, Interrupts interrupts) {
        foreground.check(call.arguments(), call.caller());
        try (CommandLineAudit trail = CommandLineAudit.open(
                ExecutionOptions.auditing(call.arguments(), call.caller()), name(), call.caller(), console)) {
            return run(call.workspaces().open(entry), command, call, interrupts, trail);
        }
    }

    private int run(Workspace workspace, String command, Call call, Interrupts interrupts, CommandLineAudit trail) {
        LateObservers observers = call.workspaces().observers();
        try {
            SpawnOptions.Builder options =
                    SpawnOptions.builder(workspace.worktree().commandPath());
            return foreground.run(
                    trail.over(
                            workspace.executor(),
                            observers,
                            workspace.worktree(),
                            workspace.mounts(),
                            workspace.network()),
                    observers,
                    command,
                    options,
                    Optional.empty(),
                    call.arguments(),
                    call.caller(),
                    interrupts);
        } finally {
            suspend(workspace);
        }
    }

    private void suspend(Workspace workspace) {
        try {
            workspace.suspend();
        } catch (WorkspaceFailedException fault) {
            console.complain(Console.text(fault));
        }
    }

    private void snapshot(Call call) throws IOException {
        WorkspaceEntry entry = call.workspace();
        String label = call.arguments().value(LABEL).orElse("");
        SnapshotInfo taken =
                copying("taking a snapshot", () -> call.workspaces().snapshot(entry, label));
        taken.omissions().forEach(omission -> console.complain("not in the snapshot: " + omission));
        call.output().snapshot(taken);
    }

    /** Compares a snapshot with the files by a temporary snapshot of them. */
    private void diff(Call call) throws IOException {
        WorkspaceEntry entry = call.workspace(1, 3);
        List<String> given = call.operands().subList(1, call.operands().size());
        call.output()
                .changes(copying(
                        "comparing",
                        () -> call.workspaces().snapshots(entry, snapshots -> {
                            List<SnapshotInfo> all = snapshots.list();
                            if (given.isEmpty() && all.isEmpty()) {
                                throw new UsageException(
                                        "the workspace has no snapshot to compare with; 'paddock workspace snapshot "
                                                + entry.id() + "' takes one");
                            }
                            String from = given.isEmpty()
                                    ? all.getLast().id()
                                    : Workspaces.find(entry, all, given.getFirst())
                                            .id();
                            if (given.size() == 2) {
                                return snapshots.changes(
                                        from,
                                        Workspaces.find(entry, all, given.getLast())
                                                .id());
                            }
                            String now = snapshots
                                    .snapshot("to compare with, " + Instant.now())
                                    .id();
                            try {
                                return snapshots.changes(from, now);
                            } finally {
                                snapshots.delete(now);
                            }
                        })));
    }

    private void restore(Call call) throws IOException {
        WorkspaceEntry entry = call.workspace(2, 2);
        SnapshotInfo at = Workspaces.find(
                entry,
                call.workspaces().snapshots(entry, all -> all.list()),
                call.operands().getLast());
        if (call.arguments().has(IN_PLACE)) {
            SnapshotInfo before = copying(
                    "restoring the snapshot",
                    () -> call.workspaces().provider(entry.ref().kind()).rollBack(entry.ref(), at.id()));
            console.complain("the files as they were are the snapshot " + before.id());
            call.output().done("replaced", before.id());
            return;
        }
        call.output()
                .workspace(call.made(copying(
                        "restoring the snapshot",
                        () -> call.workspaces().snapshots(entry, all -> all.restore(at.id())))));
    }

    private void gc(Call call) {
        call.requireNoOperands();
        String days = call.arguments()
                .value(UNUSED)
                .orElseThrow(() -> new UsageException(
                        "say for how long the workspaces to be removed have been unused: --unused DAYS"));
        Duration unused = Duration.ofDays(Numbers.positive(UNUSED, days));
        Instant before = Instant.now().minus(unused);
        List<String> ids = new ArrayList<>();
        if (call.arguments().has(DRY_RUN)) {
            call.workspaces().list().stream()
                    .filter(entry -> entry.used().isBefore(before))
                    .forEach(entry -> ids.add(entry.id()));
        } else {
            for (String kind : Workspaces.KINDS) {
                ids.addAll(call.workspaces().provider(kind).removeUnused(unused));
            }
        }
        call.output().ids(ids);
    }
}
