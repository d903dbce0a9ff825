package dev.paddock.harness;

import dev.paddock.executor.host.HostExecutor;
import java.nio.file.Path;

/** A program that never closes its session: it prints what its command does, and what the session does at the end. */
final class UnclosedSessionProgram {
    private UnclosedSessionProgram() {}

    public static void main(String[] arguments) {
        Path directory = Path.of(arguments[0]);
        AgentSession session = AgentSession.builder()
                .model(
                        ScriptedModel.parse(
                                "unclosed",
                                "{\"turns\": [{\"calls\": [{\"tool\": \"bash\", \"arguments\": {\"command\": \"echo $$; exec sleep 300\"}}]}]}"))
                .cwd(directory)
                .executor(HostExecutor.create())
                .sessionDirectory(directory.resolve("session"))
                .listener(UnclosedSessionProgram::tell)
                .build();
        session.prompt("Go");
    }

    private static void tell(SessionEvent event) {
        switch (event) {
            case SessionEvent.ToolUpdated update ->
                System.out.println("pid " + update.textSoFar().strip());
            case SessionEvent.RunEnded run ->
                System.out.println("run " + run.outcome().end());
            case SessionEvent.SessionEnded ended -> System.out.println("session ended");
            default -> {}
        }
    }
}
