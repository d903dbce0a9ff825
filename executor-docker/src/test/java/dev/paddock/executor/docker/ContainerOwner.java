package dev.paddock.executor.docker;

import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.SpawnOptions;
import java.io.IOException;
import java.nio.file.Path;

/**
 * A program that owns a container with a command in it, prints the container's id, and waits until
 * it is killed.
 */
final class ContainerOwner {
    private ContainerOwner() {}

    /**
     * Starts the command and waits.
     *
     * @param arguments the engine, the image, the worktree
     */
    public static void main(String[] arguments) throws IOException {
        DockerExecutor executor = DockerExecutor.builder()
                .engine(arguments[0])
                .image(arguments[1])
                .worktree(Path.of(arguments[2]))
                .build();
        ProcessLike process =
                executor.spawn("trap '' HUP TERM; echo up; while :; do sleep 1; done", SpawnOptions.in("/work"));
        if (process.stdout().read() == 'u') {
            System.out.println(executor.containerId().orElseThrow());
        }
        int ignored = System.in.read();
    }
}
