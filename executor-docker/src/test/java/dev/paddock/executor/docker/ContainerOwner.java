package dev.paddock.executor.docker;

import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.SpawnOptions;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A program that owns a container with a command in it, prints the container's id, and waits until
 * it is killed.
 */
final class ContainerOwner {
    private ContainerOwner() {}

    /**
     * Starts the program in a JVM of its own with a container from the busybox image. The caller
     * ends it.
     *
     * @param command at most one, whose output begins with "up"; without one, a command that
     *     ignores HUP and TERM
     */
    static Process start(String engine, Path worktree, String... command) throws IOException {
        return start(List.of(), engine, worktree, command);
    }

    /**
     * Starts an owner through another program.
     *
     * @param by the program and its options, which starts the JVM and ends with it
     */
    static Process start(List<String> by, String engine, Path worktree, String... command) throws IOException {
        List<String> argv = new ArrayList<>(by);
        argv.addAll(ChildJvm.line(ContainerOwner.class, engine, TestEngine.BUSYBOX, worktree.toString()));
        argv.addAll(List.of(command));
        return new ProcessBuilder(argv).redirectError(Redirect.DISCARD).start();
    }

    /**
     * Starts the command and waits.
     *
     * @param arguments the engine, the image, the worktree, and optionally the command, whose
     *     output begins with "up"
     */
    public static void main(String[] arguments) throws IOException {
        DockerExecutor executor = DockerExecutor.builder()
                .engine(arguments[0])
                .image(arguments[1])
                .worktree(Path.of(arguments[2]))
                .build();
        String command = arguments.length > 3 ? arguments[3] : "trap '' HUP TERM; echo up; while :; do sleep 1; done";
        ProcessLike process = executor.spawn(command, SpawnOptions.in("/work"));
        if (process.stdout().read() == 'u') {
            WarmSlots.await(executor);
            System.out.println(executor.containerId().orElseThrow());
        }
        int ignored = System.in.read();
    }
}
