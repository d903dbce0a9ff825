package dev.paddock.samples.loops;

import dev.paddock.executor.CommandExecutor;
import dev.paddock.harness.AgentSession;
import dev.paddock.harness.approval.Approval;
import dev.paddock.harness.approval.ApprovalRequest;
import dev.paddock.harness.model.Model;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;

/** Asks a person before a tool call changes anything, or leaves the worktree and the sandbox. */
public final class AskFirst {
    private final BufferedReader in;
    private final PrintStream out;

    AskFirst(BufferedReader in, PrintStream out) {
        this.in = in;
        this.out = out;
    }

    void run(Model model, Path worktree, CommandExecutor executor) {
        try (AgentSession session = AgentSession.builder()
                .model(model)
                .cwd(worktree)
                .executor(executor)
                .approver(call -> call.isReadOnly() && !call.leavesSandbox() ? Approval.allow() : ask(call))
                .build()) {
            session.prompt("Make the failing test pass.");
        }
    }

    private Approval ask(ApprovalRequest call) {
        out.print((call.leavesSandbox() ? "Unsandboxed: " : "") + call.sessionKey() + " [y]es, [a]lways, or why not? ");
        try {
            return switch (String.valueOf(in.readLine())) {
                case "y" -> Approval.allow();
                case "a" -> Approval.allowForSession();
                case "null" -> Approval.deny("nobody is there to ask");
                case String reason -> Approval.deny(reason);
            };
        } catch (IOException fault) {
            throw new UncheckedIOException(fault); // denies the call
        }
    }
}
