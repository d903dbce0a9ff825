package dev.paddock.cli;

import dev.paddock.cli.command.SandboxFlags;
import dev.paddock.executor.ExecutorProvider;
import dev.paddock.executor.ExecutorProviders;
import dev.paddock.executor.upkeep.BackendUpkeep;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Runs the training for class data sharing: the launcher runs this class to record the classes that a start needs, so
 * that later starts load them, linked, from a cache.
 *
 * <p>It runs only one short command on the host and in each sandbox that {@code auto} may choose, at a terminal and
 * without one: every class in the cache slows every start. The launcher's build trains two further caches: one for
 * starts in containers, and one for the MCP server, for which this class receives the word {@code mcp} and then also
 * serves the client on standard input.
 */
final class CdsTraining {
    private CdsTraining() {}

    public static void main(String[] arguments) {
        Main main = Main.create();
        for (ExecutorProvider provider : ExecutorProviders.installed()) {
            if (provider.name().equals(SandboxFlags.HOST)
                    || (provider instanceof BackendUpkeep own
                            && own.autoPriority(Map.of()).isPresent())) {
                List<String> command = new ArrayList<>(List.of("exec", "--executor", provider.name()));
                if (arguments.length > 0) { // input and output are the client's
                    command.addAll(List.of("-n", "--", "true"));
                } else { // with a wait and output on both streams, like usual commands
                    command.addAll(List.of("--", "sh", "-c", "sleep .05; echo trained; echo trained >&2"));
                    TrainingTerminal.run(() -> train(main, provider, command));
                }
                train(main, provider, command);
            }
        }
        main.exit(arguments.length == 0 ? 0 : main.run(List.of(arguments)));
    }

    private static void train(Main main, ExecutorProvider provider, List<String> command) {
        int exitCode = main.run(command);
        JvmProcess.messages().println("trained on " + provider.name() + ", exit code " + exitCode);
    }
}
