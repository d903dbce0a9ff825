package dev.paddock.cli;

import dev.paddock.executor.ExecutorProvider;
import dev.paddock.executor.ExecutorProviders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * The run that a launcher makes to find out which classes a start needs, so that later starts find them loaded and linked in
 * a cache: one short command on the host and in each sandbox that may be chosen unasked; or, with the argument
 * {@code containers}, one in a container. No more than these: every class in the cache slows every start.
 */
final class Training {
    private static final String CONTAINERS = "containers";

    private Training() {}

    public static void main(String[] arguments) throws IOException {
        if (List.of(arguments).equals(List.of(CONTAINERS))) {
            inContainer();
        } else {
            inPlaces();
        }
        Main.exit(0);
    }

    private static void inPlaces() {
        Main main = Main.create();
        for (ExecutorProvider provider : ExecutorProviders.installed()) {
            if (provider.name().equals(SandboxOptions.HOST)
                    || provider.autoPriority(Map.of()).isPresent()) {
                int exitCode = main.run(List.of("exec", "--executor", provider.name(), "-n", "--", "true"));
                System.err.println("trained on " + provider.name() + ", exit code " + exitCode);
            }
        }
    }

    /** Before an engine of our own, since the machine may have none, or none with an image that could be named. */
    private static void inContainer() throws IOException {
        Path directory = Files.createTempDirectory("paddock-training-");
        try (StandInEngine engine = StandInEngine.at(directory.resolve("engine"))) {
            // The client takes these for variables, and before those of the environment.
            System.setProperty("DOCKER_HOST", engine.address());
            System.setProperty("DOCKER_TLS_VERIFY", "0");
            int exitCode = Main.create()
                    .run(List.of(
                            "exec", "--image", "training", "--worktree", directory.toString(), "-n", "--", "true"));
            System.err.println("trained on containers, exit code " + exitCode);
        } finally {
            Files.deleteIfExists(directory);
        }
    }
}
