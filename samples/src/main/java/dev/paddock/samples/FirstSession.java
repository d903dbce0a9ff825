package dev.paddock.samples;

import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.host.HostExecutor;
import dev.paddock.harness.AgentSession;
import dev.paddock.harness.events.RunOutcome;
import dev.paddock.harness.model.Model;
import dev.paddock.harness.model.ScriptedModel;
import java.nio.file.Path;

/** Runs a session: a model works in a directory. One line chooses where its commands run. */
public final class FirstSession {

    private FirstSession() {}

    /**
     * Plays a script in a directory, with the commands on the host.
     *
     * @param arguments the directory, and a script in the format of {@link ScriptedModel}
     */
    public static void main(String[] arguments) {
        Model model = ScriptedModel.of(Path.of(arguments[1]));
        System.out.println(
                run(model, Path.of(arguments[0]), HostExecutor.create()).text());
    }

    static RunOutcome run(Model model, Path worktree, CommandExecutor executor) {
        try (AgentSession session = AgentSession.builder()
                .model(model)
                .cwd(worktree)
                .executor(executor)
                .closedToolSet(true)
                .build()) {
            return session.prompt("Make the failing test pass.");
        }
    }
}
