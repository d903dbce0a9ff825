package dev.paddock.cli.demo;

import dev.paddock.cli.command.Arguments;
import dev.paddock.cli.command.ExecutionOptions;
import dev.paddock.cli.command.Manual;
import dev.paddock.cli.command.Option;
import dev.paddock.cli.command.SandboxFlags;
import dev.paddock.cli.command.Subcommand;
import dev.paddock.cli.terminal.Console;
import dev.paddock.cli.terminal.Interrupts;
import dev.paddock.cli.terminal.InvocationContext;
import dev.paddock.cli.terminal.Style;
import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.SandboxUnavailableException;
import dev.paddock.executor.path.FileFaults;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;

/**
 * Implements {@code paddock demo}: a scripted model makes a failing test pass in a real repository.
 */
public final class DemoCommand implements Subcommand {
    private static final Option KEEP = Option.flag("--keep", "leaves the repository and the session's log in place");

    private final Console console;

    public DemoCommand(Console console) {
        this.console = console;
    }

    @Override
    public String name() {
        return "demo";
    }

    @Override
    public String summary() {
        return "makes a failing test pass: the main job on a real repository";
    }

    @Override
    public List<Option> options() {
        return List.of(SandboxFlags.EXECUTOR, SandboxFlags.IMAGE, KEEP);
    }

    @Override
    public Manual manual() {
        return new Manual(List.of("paddock demo [--executor NAME] [--image IMAGE] [--keep]"), """
                Makes a small git repository with a failing test, and has a scripted model make
                the test pass: it reads and edits files on the host, and runs commands in the
                sandbox. Then the host's git shows the changes.
                """, """
                Without --executor, the strongest sandbox usable here is taken. Where there is
                none, the demo, whose script is fixed, runs its commands on the host and says so.

                Exit codes: 0 if the test passes in the end; 125 if no sandbox is available.
                """);
    }

    @Override
    public int run(Arguments arguments, InvocationContext caller) {
        arguments.requireNoOperands();
        Interrupts interrupts = Interrupts.catching(console);
        try {
            DemoWorkspace workspace = DemoWorkspace.create();
            try {
                Demo demo = new Demo(workspace, Style.of(caller), console.out());
                interrupts.handTo(demo);
                workspace.fill();
                Place place = place(arguments, workspace);
                return demo.run(place);
            } finally {
                if (arguments.has(KEEP)) {
                    console.out().println("Kept: " + workspace.directory());
                } else {
                    workspace.remove();
                }
            }
        } catch (IOException fault) {
            throw new UncheckedIOException("the demo's files could not be written: " + FileFaults.reason(fault), fault);
        }
    }

    /**
     * The executor that runs the demo's commands.
     *
     * @param executor the executor
     * @param path where commands see the worktree
     * @param warning why nothing isolates the commands; empty in a sandbox
     */
    record Place(CommandExecutor executor, String path, Optional<String> warning) {}

    private Place place(Arguments arguments, DemoWorkspace workspace) {
        ExecutionOptions asked = ExecutionOptions.forDirectory(arguments, workspace.worktree(), SandboxFlags.AUTO);
        boolean isAsked = arguments.has(SandboxFlags.EXECUTOR) || arguments.has(SandboxFlags.IMAGE);
        try {
            Optional<String> warning = asked.executor().equals(SandboxFlags.HOST)
                    ? Optional.of("The commands run on the host, as asked: nothing isolates them.")
                    : Optional.empty();
            return new Place(asked.open(console), asked.policy().worktree().commandPath(), warning);
        } catch (SandboxUnavailableException none) {
            if (isAsked) {
                throw none;
            }
            console.detail(none);
            ExecutionOptions host = ExecutionOptions.forDirectory(arguments, workspace.worktree(), SandboxFlags.HOST);
            return new Place(
                    host.open(console),
                    host.policy().worktree().commandPath(),
                    Optional.of("No sandbox can be used here, and 'paddock doctor' names the remedies. This demo, whose"
                            + " script is fixed, runs its commands on the host: nothing isolates them."));
        }
    }
}
