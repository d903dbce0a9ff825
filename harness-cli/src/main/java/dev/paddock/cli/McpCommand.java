package dev.paddock.cli;

import dev.paddock.cli.audit.CommandLineAudit;
import dev.paddock.cli.command.Arguments;
import dev.paddock.cli.command.Asking;
import dev.paddock.cli.command.ExecutionOptions;
import dev.paddock.cli.command.LateObservers;
import dev.paddock.cli.command.Manual;
import dev.paddock.cli.command.Numbers;
import dev.paddock.cli.command.Option;
import dev.paddock.cli.command.Publishing;
import dev.paddock.cli.command.SandboxFlags;
import dev.paddock.cli.command.Subcommand;
import dev.paddock.cli.command.UsageException;
import dev.paddock.cli.command.Version;
import dev.paddock.cli.terminal.Console;
import dev.paddock.cli.terminal.Interrupts;
import dev.paddock.cli.terminal.InvocationContext;
import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.PublishedPort;
import dev.paddock.harness.AgentSession;
import dev.paddock.harness.AgentSessionBuilder;
import dev.paddock.harness.mcp.ClientApprover;
import dev.paddock.harness.mcp.McpToolServer;
import dev.paddock.harness.model.Model;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/**
 * Implements {@code paddock mcp}: serves a session's tools to an agent over the Model Context
 * Protocol.
 */
final class McpCommand implements Subcommand {
    private static final Option ASK = Asking.option(
            "which calls your agent asks you about, if it can (by MCP's",
            "elicitation; else they are denied): never, the default;",
            "outside, for those that no sandbox bounds; changes, for",
            "all that may change something; always");

    private static final Option MAX_OUTPUT = Option.of(
            "--max-output",
            "N",
            "characters of a command's output in a result, its",
            "beginning and its end; 30000 by default, at most 262144.",
            "The agent's calls may ask for another number");
    private static final int DEFAULT_OUTPUT = 30_000;
    private static final int MAX_OUTPUT_CHARACTERS = 262_144;

    private final Console console;

    McpCommand(Console console) {
        this.console = console;
    }

    @Override
    public String name() {
        return "mcp";
    }

    @Override
    public String summary() {
        return "gives an agent of yours the tools, as an MCP server";
    }

    @Override
    public List<Option> options() {
        return Stream.concat(Stream.of(ASK, MAX_OUTPUT, Publishing.OF_SHELLS), SandboxFlags.ALL.stream())
                .toList();
    }

    @Override
    public Manual manual() {
        return new Manual(List.of("paddock mcp [options]"), """
                Serves the tools of a session to an agent, by the Model Context Protocol on
                standard input and output: read, edit, write, ls, grep and find work in the
                worktree; bash, bash_output, write_stdin and kill_shell run in the sandbox.
                """, """
                Serves until the agent closes standard input or sends TERM; then every command
                is ended. Messages for people go to standard error.

                Exit codes: 0; 125 if the sandbox is not available; 128+n if ended by signal n.
                """);
    }

    @Override
    public int run(Arguments arguments, InvocationContext caller) {
        arguments.requireNoOperands();
        McpToolServer.preload();
        Optional<ClientApprover> approver = approver(arguments);
        int maxOutput = maxOutput(arguments);
        List<PublishedPort> ports = Publishing.read(arguments);
        ExecutionOptions options = ExecutionOptions.read(arguments, caller, console);
        Interrupts interrupts = Interrupts.catching(console);
        // Standard output is only for the protocol. Anything else that is printed goes to standard error, where people
        // can read it.
        console.process().redirectPrints(console.err(), console.err());
        Serving serving = new Serving();
        try (CommandLineAudit trail = CommandLineAudit.open(options.auditing(), name(), caller, console);
                AgentSession session = open(options, approver, maxOutput, ports, trail)) {
            McpToolServer server = McpToolServer.of(session, "paddock", Version.text());
            serving.server = Optional.of(server);
            interrupts.handTo(serving);
            server.serve(caller.streams().in(), console.output());
        }
        return serving.exitCode.getNow(0);
    }

    private static int maxOutput(Arguments arguments) {
        int characters = arguments
                .value(MAX_OUTPUT)
                .map(text -> Numbers.positive(MAX_OUTPUT, text))
                .orElse(DEFAULT_OUTPUT);
        if (characters > MAX_OUTPUT_CHARACTERS) {
            throw new UsageException("--max-output is at most " + MAX_OUTPUT_CHARACTERS + ", not " + characters);
        }
        return characters;
    }

    private static Optional<ClientApprover> approver(Arguments arguments) {
        Asking asking = Asking.read(arguments, ASK, Asking.NEVER);
        return asking == Asking.NEVER ? Optional.empty() : Optional.of(ClientApprover.askingAbout(asking::isAbout));
    }

    private AgentSession open(
            ExecutionOptions options,
            Optional<ClientApprover> approver,
            int maxOutput,
            List<PublishedPort> ports,
            CommandLineAudit trail) {
        CommandExecutor executor = trail.open(options, new LateObservers(), console);
        try {
            AgentSessionBuilder session = options.place(AgentSession.builder(), executor)
                    .model(Model.none())
                    .maxOutput(maxOutput)
                    .keepDirectory(true);
            approver.ifPresent(session::approver);
            ports.forEach(session::publish);
            return ExecutionOptions.build(session);
        } catch (RuntimeException fault) {
            executor.dispose();
            throw fault;
        }
    }

    /** The running server, which a signal stops. */
    private static final class Serving implements Interrupts.Work {
        private final CompletableFuture<Integer> exitCode = new CompletableFuture<>();
        private Optional<McpToolServer> server = Optional.empty();

        @Override
        public void end(int code) {
            exitCode.complete(code);
            server.ifPresent(McpToolServer::stop);
        }

        /**
         * Does nothing: a stop takes no longer than the commands' grace, and a third signal ends
         * the JVM.
         */
        @Override
        public void endAtOnce() {}
    }
}
