package dev.paddock.harness.bindings;

import dev.paddock.executor.AbortSignal;
import dev.paddock.executor.AbortedException;
import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.CommandOutcome;
import dev.paddock.executor.CommandResult;
import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.ExitStatus;
import dev.paddock.executor.RunOptions;
import dev.paddock.executor.ShellQuoting;
import dev.paddock.executor.policy.CodeInjectionVariables;
import dev.paddock.executor.variable.HarmlessVariables;
import dev.paddock.executor.variable.ShellVariables;
import dev.paddock.harness.bindings.BindingEvent.Outcome;
import dev.paddock.harness.bindings.BindingEvent.Scope;
import dev.paddock.harness.bindings.BindingException.Reason;
import dev.paddock.harness.tools.ToolException;
import dev.paddock.harness.tools.command.AllowList;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * Runs commands in the container's executor, a sandbox unless the program chose otherwise. A command is a program and
 * its arguments: no shell parses them. Thread-safe.
 *
 * @since 0.1
 */
public final class ExecBinding {
    private static final Duration MAX_TIMEOUT = Duration.ofMillis(Integer.MAX_VALUE);
    private static final Duration GRACE = Duration.ofSeconds(1);
    private static final String PATH = "PATH";

    private final ExecPolicy policy;
    private final Supplier<CommandExecutor> executor;
    private final CommandDirectories directories;
    private final Supplier<Variables> variables;
    private final Events events;

    ExecBinding(
            ExecPolicy policy,
            Supplier<CommandExecutor> executor,
            CommandDirectories directories,
            Supplier<Variables> variables,
            Events events) {
        this.policy = policy;
        this.executor = executor;
        this.directories = directories;
        this.variables = variables;
        this.events = events;
    }

    /**
     * Runs a program to its end.
     *
     * @param request the program, its arguments and its options
     * @return its result, also of one that failed or timed out
     * @throws BindingException if the policy refuses it, or it is malformed; nothing ran
     * @throws dev.paddock.harness.files.access.FileException if its directory is not in the
     *     workspace
     * @throws ExecutorException if it could not be run
     */
    public ExecResult run(ExecRequest request) {
        return run(request, AbortSignal.never());
    }

    /**
     * Runs a program to its end, or to an abort.
     *
     * @param request the program, its arguments and its options
     * @param signal ends the program
     * @return its result, also of one that failed or timed out
     * @throws BindingException if the policy refuses it, or it is malformed; nothing ran
     * @throws AbortedException if the signal is aborted
     * @throws dev.paddock.harness.files.access.FileException if its directory is not in the
     *     workspace
     * @throws ExecutorException if it could not be run
     */
    public ExecResult run(ExecRequest request, AbortSignal signal) {
        return observed("run", request, () -> {
            requireText("command", request.command());
            request.args().forEach(argument -> requireNoNul("args", argument));
            if (!policy.isEnabled()
                    || policy.allowed()
                            .filter(list -> !list.contains(request.command()))
                            .isPresent()) {
                throw denied("the program '" + request.command() + "' is not allowed. " + rule());
            }
            List<String> words = new ArrayList<>();
            words.add(request.command());
            words.addAll(request.args());
            // exec replaces the shell, which would die of an abort's SIGTERM and report its own status, not the
            // program's. exec would parse a leading dash as an option.
            String exec = request.command().startsWith("-") ? "" : "exec ";
            return execute(exec + ShellQuoting.posix(words), request, signal);
        });
    }

    /**
     * Runs a script of the executor's shell to its end, or to an abort.
     *
     * @param request its {@link ExecRequest#command()} is the script; it has no arguments
     * @param signal ends the script
     * @return its result, also of one that failed or timed out
     * @throws BindingException if the policy permits no scripts, or not this one; nothing ran
     * @throws AbortedException if the signal is aborted
     * @throws ExecutorException if it could not be run
     */
    public ExecResult shell(ExecRequest request, AbortSignal signal) {
        return observed("shell", request, () -> {
            requireText("script", request.command());
            if (!policy.isEnabled() || !policy.allowsShell()) {
                throw denied("shell scripts are not allowed. " + rule());
            }
            if (policy.allowed().isPresent()) {
                try {
                    new AllowList(policy.allowed().get()).pass(request.command(), signal);
                } catch (ToolException refused) {
                    throw denied(String.valueOf(refused.getMessage()));
                }
            }
            if (!request.args().isEmpty()) {
                throw invalid("a script has no arguments: put them into it");
            }
            return execute(request.command(), request, signal);
        });
    }

    /** Records an operation's outcome; a refusal by the policy is an event of its own. */
    private ExecResult observed(String action, ExecRequest request, Supplier<ExecResult> operation) {
        try {
            ExecResult result = operation.get();
            events.host(BindingEvent.of(Scope.EXEC, action, Outcome.SUCCESS)
                    .on(request.command())
                    .with("exit code " + result.exitCode() + (result.timedOut() ? ", timed out" : "")));
            return result;
        } catch (RuntimeException fault) {
            boolean isDenied = fault instanceof BindingException refused && refused.reason() == Reason.DENIED;
            events.host(BindingEvent.of(
                            Scope.EXEC,
                            isDenied ? action + "-denied" : action,
                            isDenied ? Outcome.DENIED : Outcome.ERROR)
                    .on(request.command())
                    .with(String.valueOf(fault.getMessage())));
            throw fault;
        }
    }

    private ExecResult execute(String command, ExecRequest request, AbortSignal signal) {
        Duration timeout = request.timeout().orElse(policy.timeout());
        if (timeout.isNegative() || timeout.compareTo(MAX_TIMEOUT) > 0) {
            throw invalid("a time limit is 0 to 2147483647 ms, and not " + timeout.toMillis());
        }
        Map<String, String> environment = environment(request);
        CommandExecutor place = executor.get();
        RunOptions options = RunOptions.in(directories.commandSide(request.cwd().orElse("."), place))
                .env(environment)
                .signal(signal)
                .killGrace(GRACE);
        if (!timeout.isZero()) {
            options = options.timeout(timeout);
        }
        if (request.stdin().isPresent()) {
            options = options.stdin(request.stdin().get().getBytes(StandardCharsets.UTF_8));
        }
        try {
            return result(place.run(command, options));
        } catch (InterruptedException interrupt) {
            Thread.currentThread().interrupt();
            throw new AbortedException("the command was interrupted");
        }
    }

    private static ExecResult result(CommandResult ended) {
        if (ended.outcome() instanceof CommandOutcome.Lost lost) {
            throw lost.cause();
        }
        if (ended.outcome() instanceof CommandOutcome.Aborted aborted) {
            throw new AbortedException(aborted.reason());
        }
        return new ExecResult(
                ended.status().map(ExitStatus::code).orElse(-1),
                ended.outText(),
                ended.errText(),
                ended.outcome() instanceof CommandOutcome.TimedOut,
                ended.took());
    }

    private Map<String, String> environment(ExecRequest request) {
        if (request.includesSecrets() && !policy.allowsSecrets()) {
            throw denied("commands receive no secrets: the container's policy does not permit it");
        }
        Map<String, String> environment = variablesOfContainer(request);
        environment.remove(PATH);
        // A dotenv file may contain names that are invalid in a shell.
        environment.keySet().removeIf(name -> !ShellVariables.isPassable(name));
        request.env().forEach((name, value) -> {
            requireNotPath(name);
            requireNoNul("env", name);
            requireNoNul("env", value);
            environment.put(name, value);
        });
        if (policy.allowed().isPresent()) {
            for (String name : request.env().keySet()) {
                if (!HarmlessVariables.matches(name)) {
                    throw invalid("the variable " + name
                            + " may make an allowed program run another one, so a request cannot set it; leave it out");
                }
            }
            environment.keySet().removeIf(CodeInjectionVariables::matches);
        }
        return environment;
    }

    private Map<String, String> variablesOfContainer(ExecRequest request) {
        Variables all = variables.get();
        for (String name : request.envKeys().orElse(List.of())) {
            requireNotPath(name);
            if (all.get(name, /* secret */ false).isPresent() && !all.isForCommands(name)) {
                throw denied("commands do not receive the variable " + name + " of "
                        + all.source(name).orElseThrow()
                        + ", since it may choose their servers or programs; the program"
                        + " that opened the container can give them its value in code (EnvSource.inline)");
            }
        }
        Map<String, String> chosen = new TreeMap<>();
        for (boolean secret : request.includesSecrets() ? new boolean[] {false, true} : new boolean[] {false}) {
            all.names(secret).stream()
                    .filter(all::isForCommands)
                    .filter(name -> request.envKeys().isEmpty()
                            || request.envKeys().get().contains(name))
                    .forEach(name -> chosen.put(name, all.get(name, secret).orElseThrow()));
        }
        return chosen;
    }

    private static BindingException denied(String why) {
        return new BindingException(Reason.DENIED, why);
    }

    private String rule() {
        if (!policy.isEnabled()) {
            return "This container runs no commands";
        }
        return policy.allowed()
                .map(list ->
                        "Allowed: " + String.join(", ", list.stream().sorted().toList()))
                .orElse("This container runs programs with arguments");
    }

    private static void requireNotPath(String name) {
        if (name.equals(PATH)) {
            throw invalid("PATH is the sandbox's own, so a request cannot set it; name the program by its path");
        }
    }

    private static void requireText(String name, String text) {
        if (text.isBlank()) {
            throw invalid("the " + name + " is empty");
        }
        requireNoNul(name, text);
    }

    private static void requireNoNul(String name, String text) {
        if (text.indexOf('\0') >= 0) {
            throw invalid("'" + name + "' contains NUL");
        }
    }

    private static BindingException invalid(String message) {
        return new BindingException(Reason.INVALID, message);
    }
}
