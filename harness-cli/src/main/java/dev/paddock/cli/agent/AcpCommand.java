package dev.paddock.cli.agent;

import dev.paddock.cli.command.Arguments;
import dev.paddock.cli.command.ExecutionOptions;
import dev.paddock.cli.command.Manual;
import dev.paddock.cli.command.Option;
import dev.paddock.cli.command.SandboxFlags;
import dev.paddock.cli.command.Subcommand;
import dev.paddock.cli.command.UsageException;
import dev.paddock.cli.command.Version;
import dev.paddock.cli.terminal.Console;
import dev.paddock.cli.terminal.Interrupts;
import dev.paddock.cli.terminal.InvocationContext;
import dev.paddock.harness.acp.AcpServer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/** Implements {@code paddock acp}: serves the agent to an editor over the Agent Client Protocol. */
public final class AcpCommand implements Subcommand {
    private final Console console;

    public AcpCommand(Console console) {
        this.console = console;
    }

    @Override
    public String name() {
        return "acp";
    }

    @Override
    public String summary() {
        return "serves the agent to an editor, such as Zed or JetBrains";
    }

    @Override
    public List<Option> options() {
        return Stream.of(
                        ModelChoice.ALL,
                        List.of(
                                SessionExtras.SKILLS,
                                SessionExtras.WEB,
                                McpServers.HOST_SERVER,
                                SessionExtras.MAX_TURNS),
                        SandboxFlags.ALL)
                .flatMap(List::stream)
                .toList();
    }

    @Override
    public Manual manual() {
        return new Manual(List.of("paddock acp [--provider NAME] [--model NAME] [options]"), """
                Serves 'paddock agent' to an editor, by the Agent Client Protocol on standard
                input and output. 'paddock setup zed' and 'paddock setup jetbrains' enter it into
                their settings. The editor names the directory of each session; the model is that
                of 'paddock agent'.
                """, """
                The editor's user is asked about the model's calls: in the mode 'ask', the first,
                before each that may change something; in 'edits', not before changes of files;
                in 'all', only before what no sandbox bounds. Hosts that the network policy does
                not name are asked about in each mode.

                Serves until the editor closes standard input, or this program receives TERM;
                then every command is ended. Messages for people go to standard error.

                Exit codes: 0; 128+n if ended by signal n.
                """);
    }

    @Override
    public int run(Arguments arguments, InvocationContext caller) {
        arguments.requireNoOperands();
        if (ExecutionOptions.namesWorktree(arguments)) {
            throw new UsageException("--worktree: the editor names the directory of each session; leave it out");
        }
        Interrupts interrupts = Interrupts.catching(console);
        // Standard output is only for the protocol. Anything else that is printed goes to standard error, where people
        // can read it.
        console.process().redirectPrints(console.err(), console.err());
        AcpServer server = AcpServer.of(new EditorSite(arguments, caller, console), "paddock", Version.text());
        Served served = new Served(server, new CompletableFuture<>());
        interrupts.handTo(served);
        server.serve(caller.streams().in(), console.output());
        return served.exitCode().getNow(0);
    }

    /** The server, which a signal stops. */
    private record Served(AcpServer server, CompletableFuture<Integer> exitCode) implements Interrupts.Work {
        @Override
        public void end(int code) {
            exitCode.complete(code);
            server.stop();
        }

        /**
         * Does nothing: a stop takes no longer than the commands' grace, and a third signal ends
         * the JVM.
         */
        @Override
        public void endAtOnce() {}
    }
}
