package dev.paddock.cli.guest;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.paddock.cli.command.Arguments;
import dev.paddock.cli.command.Manual;
import dev.paddock.cli.command.Option;
import dev.paddock.cli.command.Subcommand;
import dev.paddock.cli.command.UsageException;
import dev.paddock.cli.terminal.Console;
import dev.paddock.cli.terminal.Interrupts;
import dev.paddock.cli.terminal.InvocationContext;
import dev.paddock.harness.bindings.AgentContainer;
import dev.paddock.harness.files.access.FileException;
import dev.paddock.harness.tools.text.JsonNodes;
import java.io.UncheckedIOException;
import java.util.List;

/** Implements {@code paddock container}: shows what guest code in the worktree is granted. */
public final class ContainerCommand implements Subcommand {
    private static final List<String> ACTIONS = List.of("describe");

    private final Console console;

    /** Creates the subcommand. */
    public ContainerCommand(Console console) {
        this.console = console;
    }

    @Override
    public String name() {
        return "container";
    }

    @Override
    public String summary() {
        return "shows the grants of guest code in the worktree";
    }

    @Override
    public List<Option> options() {
        return ContainerFlags.ALL;
    }

    @Override
    public List<String> operands() {
        return ACTIONS;
    }

    @Override
    public Manual manual() {
        return new Manual(
                List.of("paddock container describe [options]"),
                """
                describe prints what 'paddock guest run' with the same options grants to guest
                code, as JSON: the worktree, the bindings, and the names of the variables and
                secrets, never a value.
                """,
                "Exit codes: 0; 125 if the container cannot be opened; 2 for a mistake in the options.");
    }

    @Override
    public int run(Arguments arguments, InvocationContext caller) {
        if (!arguments.operands().equals(ACTIONS)) {
            throw new UsageException("give describe"
                    + (arguments.operands().isEmpty() ? "" : ", not '" + String.join(" ", arguments.operands()) + "'"));
        }
        Interrupts.catching(console);
        try (AgentContainer container = ContainerFlags.read(arguments, caller).build()) {
            ObjectNode description = JsonNodes.object(container.describe());
            console.out().println(description.toPrettyString());
            return 0;
        } catch (FileException | UncheckedIOException fault) {
            console.complain(Console.text(fault));
            console.detail(fault);
            return Console.FAILED;
        }
    }
}
