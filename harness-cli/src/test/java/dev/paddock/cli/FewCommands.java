package dev.paddock.cli;

import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.ExecutorProviders;
import dev.paddock.executor.RunOptions;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.policy.SandboxPolicy;
import java.nio.file.Path;
import java.util.Map;

/** Runs five commands with one executor. */
final class FewCommands {
    private static final int COMMANDS = 5;

    private FewCommands() {}

    /** Runs the commands in the current directory; the executor's name is the only argument, and the output. */
    public static void main(String[] arguments) throws Exception {
        Path worktree = Path.of("").toRealPath();
        PathMapping place = PathMapping.same(worktree);
        SandboxPolicy policy = arguments[0].equals("host")
                ? SandboxPolicy.unconfined(place)
                : SandboxPolicy.builder(place).build();
        try (CommandExecutor executor = ExecutorProviders.named(arguments[0]).create(policy, Map.of())) {
            for (int command = 0; command < COMMANDS; command++) {
                executor.run("echo done", RunOptions.in(worktree.toString())).orThrow();
            }
        }
        System.out.println("done");
    }
}
