package dev.paddock.executor.sandbox.spawn;

import dev.paddock.executor.AbortSignal;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.process.warm.CommandRequest;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * One call of {@link SandboxedSpawner#spawn}.
 *
 * @param startedWith the variables that a warm slot cannot pass exactly: the sandbox must be started with them
 * @param plans returns the plan of the command's sandbox
 */
record SpawnRequest<P>(
        CommandRequest command, SpawnOptions options, Map<String, String> startedWith, Function<AbortSignal, P> plans) {

    /**
     * Creates a request.
     *
     * @param shell the commands' shell
     * @param base the environment of every command; the command's own overrides it
     * @param passesExactly whether a warm slot passes a variable of this name exactly
     * @throws dev.paddock.executor.SpawnException if a variable cannot be passed
     */
    static <P> SpawnRequest<P> of(
            String shell,
            String command,
            SpawnOptions options,
            Map<String, String> base,
            Predicate<String> passesExactly,
            Function<AbortSignal, P> plans) {
        Map<String, String> variables = new HashMap<>(base);
        variables.putAll(options.env());
        Map<String, String> startedWith = new HashMap<>();
        variables.forEach((variable, value) -> {
            if (!passesExactly.test(variable)) {
                CommandRequest.requireVariable(variable, value);
                startedWith.put(variable, value);
            }
        });
        variables.keySet().removeAll(startedWith.keySet());
        return new SpawnRequest<>(
                new CommandRequest(shell, command, options.cwd(), variables, options.stdin(), options.stderr()),
                options,
                startedWith,
                plans);
    }

    P plan() {
        return plans.apply(options.signal());
    }

    boolean fitsWarmSlot() {
        return startedWith.isEmpty() && options.terminal().isEmpty();
    }
}
