package dev.paddock.samples;

import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.docker.DockerExecutor;
import dev.paddock.harness.AgentSession;
import dev.paddock.harness.model.Model;
import dev.paddock.harness.model.ScriptedModel;
import java.nio.file.Path;

/** Runs a session whose commands run in a container, while its files stay on the host. */
public final class InContainer {

    private InContainer() {}

    /**
     * Plays a script in a directory, with the commands in a container.
     *
     * @param arguments the directory, a script in the format of {@link ScriptedModel}, and a
     *     container that has the directory at {@code /work}, or, after the word {@code image}, an
     *     image
     */
    public static void main(String[] arguments) {
        Path worktree = Path.of(arguments[0]);
        Model model = ScriptedModel.of(Path.of(arguments[1]));
        if (arguments[2].equals("image")) {
            inOneOfItsOwn(model, worktree, arguments[3]);
        } else {
            inOneThatRuns(model, worktree, arguments[2]);
        }
    }

    static void inOneThatRuns(Model model, Path worktree, String id) {
        try (AgentSession session = AgentSession.builder()
                .model(model)
                .cwd(worktree) // read, edit, write, grep, find, ls: here, on the host
                .executor(new DockerExecutor(id)) // bash: in there
                .execCwd("/work") // …at this path
                .closedToolSet(true)
                .build()) {
            session.prompt("Make the failing test pass.");
        }
    }

    static void inOneOfItsOwn(Model model, Path worktree, String image) {
        CommandExecutor container =
                DockerExecutor.builder().image(image).worktree(worktree).build();
        try (AgentSession session = AgentSession.builder()
                .model(model)
                .cwd(worktree)
                .executor(container) // knows that the worktree is at /work
                .build()) {
            session.prompt("Make the failing test pass.");
        }
    }
}
