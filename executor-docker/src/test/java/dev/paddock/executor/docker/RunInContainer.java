package dev.paddock.executor.docker;

import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.SpawnOptions;
import java.io.OutputStream;
import java.nio.file.Path;

/**
 * A program that runs one command in a container, on the engine that its environment names, and
 * passes on its input.
 */
final class RunInContainer {
    private RunInContainer() {}

    /**
     * Runs the command.
     *
     * @param arguments the image, the worktree, the command
     */
    public static void main(String[] arguments) throws Exception {
        try (DockerExecutor executor = DockerExecutor.builder()
                .image(arguments[0])
                .worktree(Path.of(arguments[1]))
                .build()) {
            ProcessLike process = executor.spawn(
                    arguments[2],
                    SpawnOptions.builder("/work")
                            .stdin(SpawnOptions.Stdin.PIPE)
                            .stderr(SpawnOptions.Stderr.MERGED)
                            .build());
            Thread.ofVirtual().start(() -> pass(process));
            process.stdout().transferTo(System.out);
            System.out.println(process.onExit().toCompletableFuture().get());
        }
    }

    private static void pass(ProcessLike process) {
        try (OutputStream input = process.stdin()) {
            System.in.transferTo(input);
        } catch (java.io.IOException fault) {
            throw new java.io.UncheckedIOException(fault);
        }
    }
}
