package dev.paddock.executor.docker;

import com.github.dockerjava.api.exception.DockerException;
import dev.paddock.executor.Availability;
import dev.paddock.executor.Guarantee;
import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.SandboxUnavailableException;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.docker.engine.Engine;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.remote.command.RemoteCommands;
import dev.paddock.executor.remote.command.RemoteProvider;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;

/** Starts the commands of a {@link DockerExecutor}, and disposes of it. */
final class DockerCommands {
    private final RemoteCommands commands;

    DockerCommands(RemoteProvider source) {
        commands = new RemoteCommands(source);
    }

    Set<Guarantee> guarantees() {
        return commands.guarantees();
    }

    Optional<PathMapping> worktree() {
        return commands.worktree();
    }

    boolean isKept(Path path) {
        return commands.isKept(path);
    }

    ProcessLike spawn(String command, SpawnOptions options) {
        try {
            return commands.spawn(command, options);
        } catch (DockerException refusal) {
            SandboxUnavailableException unavailable = new SandboxUnavailableException(
                    Engine.BACKEND,
                    new Availability.Unusable(
                            "the engine refuses: " + Engine.message(refusal), "Look at the engine's log."));
            unavailable.initCause(refusal);
            throw unavailable;
        }
    }

    /**
     * Opens the container, and requests warm slots, before the first command.
     *
     * @param owner is disposed of if that fails
     */
    void start(DockerExecutor owner) {
        commands.start(owner);
    }

    void dispose() {
        commands.dispose();
    }

    Optional<String> containerId() {
        return commands.systemId();
    }

    int waitingSlots() {
        return commands.waitingSlots();
    }
}
