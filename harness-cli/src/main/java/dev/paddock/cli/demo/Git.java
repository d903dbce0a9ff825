package dev.paddock.cli.demo;

import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.process.launch.HelperCommand;
import dev.paddock.executor.process.launch.HostEnvironment;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Runs the host's git without any configuration: no hooks, no signatures, no pager, no prompts. */
final class Git {
    private static final Duration BOUND = Duration.ofSeconds(20);

    private final Map<String, String> environment = new LinkedHashMap<>(HostEnvironment.minimal());

    Git() {
        if (HostEnvironment.findProgram("git").isEmpty()) {
            throw new ExecutorException("git is needed and not installed here. Install git, then try again.");
        }
        environment.putAll(Map.of(
                "GIT_CONFIG_GLOBAL", "/dev/null",
                "GIT_CONFIG_SYSTEM", "/dev/null",
                "GIT_CONFIG_NOSYSTEM", "1",
                "GIT_TERMINAL_PROMPT", "0",
                "GIT_AUTHOR_NAME", "Paddock",
                "GIT_AUTHOR_EMAIL", "demo@paddock.invalid",
                "GIT_COMMITTER_NAME", "Paddock",
                "GIT_COMMITTER_EMAIL", "demo@paddock.invalid"));
    }

    /**
     * Runs git.
     *
     * @return git's output
     * @throws ExecutorException if git fails
     */
    String run(Path directory, String... arguments) {
        List<String> line = new ArrayList<>(List.of("git", "-C", directory.toString(), "--no-pager"));
        line.addAll(List.of(arguments));
        HelperCommand.Result result = HelperCommand.run(line, environment, BOUND);
        if (!result.succeeded()) {
            throw new ExecutorException("'" + String.join(" ", line) + "' failed: "
                    + result.output().strip());
        }
        return result.output();
    }
}
