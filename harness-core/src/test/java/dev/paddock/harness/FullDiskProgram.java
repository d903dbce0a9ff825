package dev.paddock.harness;

import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.SpawnException;
import dev.paddock.harness.events.RunOutcome;
import dev.paddock.harness.model.AssistantTurn;
import dev.paddock.harness.model.Model;
import dev.paddock.harness.tools.Json;
import dev.paddock.harness.tools.ToolCall;
import dev.paddock.harness.tools.ToolResult;
import java.nio.file.Path;
import java.util.List;

/**
 * Runs a session that cannot store the result of a call because its file is full, and which then
 * continues with shorter messages.
 */
final class FullDiskProgram {
    private FullDiskProgram() {}

    public static void main(String[] arguments) {
        CommandExecutor none = (command, options) -> {
            throw new SpawnException("there are no commands here");
        };
        Model model = (request, listener) -> request.messages().size() == 1
                ? AssistantTurn.calling("", new ToolCall("c1", "long", Json.object()))
                : AssistantTurn.saying("Done.");
        try (AgentSession session = AgentSession.builder()
                .model(model)
                .cwd(Path.of(arguments[0]))
                .executor(none)
                .tools(List.of(new LoopTest.TestTool("long", (call, context) -> ToolResult.ok("x".repeat(20_000)))))
                .sessionDirectory(Path.of(arguments[1]))
                .build()) {
            RunOutcome full = session.prompt("Go");
            String reason = full.failure().map(Throwable::getMessage).orElse("nothing");
            System.out.println(full.end() + ", for " + reason.replaceFirst(" in .*", ""));
            RunOutcome after = session.prompt("Go on");
            System.out.println(after.end() + " with " + session.messages().size() + " messages");
        }
    }
}
