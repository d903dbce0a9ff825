package dev.paddock.cli;

import dev.paddock.cli.command.Arguments;
import dev.paddock.cli.command.Manual;
import dev.paddock.cli.command.Option;
import dev.paddock.cli.command.SandboxOptions;
import dev.paddock.cli.command.Subcommand;
import dev.paddock.cli.command.Version;
import dev.paddock.cli.terminal.Console;
import dev.paddock.cli.terminal.Interrupts;
import dev.paddock.cli.terminal.InvocationContext;
import dev.paddock.executor.CommandExecutor;
import dev.paddock.harness.AgentSession;
import dev.paddock.harness.mcp.McpToolServer;
import dev.paddock.harness.model.Model;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Implements {@code paddock mcp}: serves a session's tools to an agent over the Model Context
 * Protocol.
 */
final class McpCommand implements Subcommand {
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
        return SandboxOptions.ALL;
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

                Exit codes: 0; 125 if the sandbox could not be had; 128+n if ended by signal n.
                """);
    }

    @Override
    public int run(Arguments arguments, InvocationContext caller) {
        arguments.requireNoOperands();
        SandboxOptions options = SandboxOptions.read(arguments, caller, console);
        Interrupts interrupts = Interrupts.catching();
        // Standard output carries the protocol only. Anything else that is printed goes to standard
        // error, where people can read it.
        System.setOut(System.err);
        Serving serving = new Serving();
        try (AgentSession session = open(options)) {
            McpToolServer server = McpToolServer.of(session, "paddock", Version.text());
            serving.server = Optional.of(server);
            interrupts.handTo(serving);
            server.serve(new FileInputStream(FileDescriptor.in), new FileOutputStream(FileDescriptor.out));
        }
        return serving.exitCode.getNow(0);
    }

    private AgentSession open(SandboxOptions options) {
        CommandExecutor executor = options.open(console);
        try {
            return SandboxOptions.build(options.session().model(Model.none()).executor(executor));
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
