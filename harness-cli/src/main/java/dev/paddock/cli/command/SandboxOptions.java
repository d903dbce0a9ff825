package dev.paddock.cli.command;

import dev.paddock.cli.terminal.Console;
import dev.paddock.cli.terminal.InvocationContext;
import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.ExecutorProviders;
import dev.paddock.executor.SpawnException;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.policy.CodeInjectionVariables;
import dev.paddock.executor.policy.EnvironmentPolicy;
import dev.paddock.executor.policy.Mount;
import dev.paddock.executor.policy.NetworkPolicy;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.policy.ResourceLimits;
import dev.paddock.executor.policy.SandboxPolicy;
import dev.paddock.harness.AgentSession;
import dev.paddock.harness.AgentSessionBuilder;
import java.io.UncheckedIOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Holds the options that all subcommands which run commands share: the backend, and what it grants
 * to commands.
 *
 * @param executor a backend's name, or {@code auto}
 * @param policy what the sandbox grants
 * @param settings the backend's own settings
 * @param killGrace how long a command has between SIGTERM and SIGKILL
 */
public record SandboxOptions(String executor, SandboxPolicy policy, Map<String, String> settings, Duration killGrace) {

    public static final String AUTO = "auto";
    public static final String HOST = "host";

    public static final Option EXECUTOR = Option.of(
                    "--executor",
                    "NAME",
                    "where commands run: auto (the default) takes the strongest",
                    "sandbox usable here, never the host; or host, bwrap,",
                    "landlock, seatbelt, docker. 'paddock doctor' shows which",
                    "can be used")
            .withChoices(AUTO, HOST, "bwrap", "landlock", "seatbelt", "docker");
    private static final Option EXEC_CWD = Option.of(
            "--exec-cwd", "PATH", "where commands see the worktree; its own path by", "default, /work with --image");
    public static final Option IMAGE = Option.of("--image", "IMAGE", "docker: makes a container of this image");
    private static final Option CONTAINER = Option.of("--container", "ID", "docker: uses this running container");
    private static final Option NETWORK = Option.of(
                    "--network", "off|open", "off by default; the host cannot switch it off")
            .withChoices("off", "open");
    private static final Option MEMORY = Option.of("--memory", "SIZE", "memory limit, such as 512m or 2g");
    private static final Option CPUS = Option.of("--cpus", "N", "processors, such as 1.5");
    private static final Option PIDS = Option.of("--pids", "N", "processes at one time");
    private static final Option MOUNT = Option.repeatable(
            "--mount", "SRC:DST[:ro|rw]", "shows a file or directory besides the worktree, read-only", "unless rw");
    private static final Option ENV = Option.repeatable("--env", "NAME=VALUE", "sets a variable for commands");
    private static final Option PASS_ENV = Option.repeatable(
            "--pass-env",
            "NAME",
            "passes a variable of yours on; one whose name looks like",
            "a credential's only if written NAME!");
    private static final Option KILL_GRACE = Option.of(
            "--kill-grace",
            "SECONDS",
            "the time between SIGTERM and SIGKILL, 2 by default;",
            "4 at most once paddock itself receives SIGTERM");

    public static final List<Option> ALL = List.of(
            EXECUTOR,
            WorktreeChoice.WORKTREE,
            WorktreeChoice.ALLOW_HOME,
            EXEC_CWD,
            IMAGE,
            CONTAINER,
            NETWORK,
            MEMORY,
            CPUS,
            PIDS,
            MOUNT,
            ENV,
            PASS_ENV,
            KILL_GRACE);

    /**
     * Reads the options.
     *
     * @throws UsageException if a value is malformed, or names something that does not exist
     */
    public static SandboxOptions read(Arguments arguments, InvocationContext caller, Console console) {
        String executor = arguments.value(EXECUTOR).orElse(AUTO);
        return new SandboxOptions(
                executor, policy(executor, arguments, caller, console), settings(arguments), killGrace(arguments));
    }

    /**
     * Returns the options for a directory that this program has made: a backend, its settings, and
     * the default policy.
     *
     * @throws UsageException if a value is malformed
     */
    public static SandboxOptions forDirectory(Arguments arguments, Path directory, String defaultExecutor) {
        String executor = arguments.value(EXECUTOR).orElse(defaultExecutor);
        PathMapping mapping = new PathMapping(directory, defaultCommandPath(arguments, directory));
        SandboxPolicy policy =
                SandboxPolicy.builder(mapping).network(defaultNetwork(executor)).build();
        return new SandboxOptions(executor, policy, settings(arguments), SpawnOptions.DEFAULT_KILL_GRACE);
    }

    private static Map<String, String> settings(Arguments arguments) {
        Map<String, String> settings = new LinkedHashMap<>();
        arguments.value(IMAGE).ifPresent(image -> settings.put("image", requireText(IMAGE, image)));
        arguments.value(CONTAINER).ifPresent(id -> settings.put("container", requireText(CONTAINER, id)));
        if (settings.size() > 1) {
            throw new UsageException("--image makes a container and --container uses one: give one of them");
        }
        return Map.copyOf(settings);
    }

    /**
     * Returns where commands see the worktree by default. A container made from an image mounts it
     * at a path that none of the image's own directories use.
     */
    private static String defaultCommandPath(Arguments arguments, Path worktree) {
        return arguments.has(IMAGE) ? "/work" : worktree.toString();
    }

    /**
     * Returns the network policy for a command line without {@code --network}: the host isolates
     * nothing, so it is not asked to switch the network off unless the caller requests that
     * explicitly.
     */
    private static NetworkPolicy defaultNetwork(String executor) {
        return executor.equals(HOST) ? NetworkPolicy.open() : NetworkPolicy.off();
    }

    /**
     * Opens the executor.
     *
     * @param console shows the progress of long preparations before the first command can run
     * @throws UsageException if there is no such backend, or it does not know a setting
     * @throws dev.paddock.executor.ExecutorException if the sandbox is not available or cannot
     *     enforce the policy
     */
    public CommandExecutor open(Console console) {
        return refusingMisuse(
                "",
                () -> executor.equals(AUTO)
                        ? ExecutorProviders.auto(policy, settings, console.progress())
                        : ExecutorProviders.named(executor).create(policy, settings, console.progress()));
    }

    /**
     * Returns a session builder with the worktree, the policy and the grace; the caller adds the
     * executor.
     */
    public AgentSessionBuilder session() {
        return AgentSession.builder()
                .cwd(policy.worktree().hostPath())
                .execCwd(policy.worktree().commandPath())
                .policy(policy)
                .killGrace(killGrace);
    }

    /**
     * Builds a session from the options of this command line.
     *
     * @throws UsageException if the session refuses a value, since the command line gave it
     */
    public static AgentSession build(AgentSessionBuilder builder) {
        try {
            return builder.build();
        } catch (IllegalArgumentException | IllegalStateException | UncheckedIOException refused) {
            throw new UsageException(Console.text(refused));
        }
    }

    /**
     * Returns the start options of commands: the worktree as directory, and the requested grace.
     */
    public SpawnOptions.Builder spawnOptions() {
        return SpawnOptions.builder(policy.worktree().commandPath()).killGrace(killGrace);
    }

    private static SandboxPolicy policy(
            String executor, Arguments arguments, InvocationContext caller, Console console) {
        Path worktree = WorktreeChoice.read(arguments, caller);
        PathMapping mapping = value(arguments, EXEC_CWD, path -> new PathMapping(worktree, path))
                .orElseGet(() -> new PathMapping(worktree, defaultCommandPath(arguments, worktree)));
        SandboxPolicy.Builder policy = SandboxPolicy.builder(mapping)
                .network(value(arguments, NETWORK, NetworkPolicy::parse).orElseGet(() -> defaultNetwork(executor)))
                .limits(limits(arguments))
                .environment(environment(arguments, caller, console));
        for (String mount : arguments.all(MOUNT)) {
            policy.mount(parse(MOUNT, mount, text -> Mount.parse(text, caller.directory())));
        }
        return refusingMisuse("", policy::build);
    }

    /** Returns whether the command line gives commands a variable, or passes it on. */
    public static boolean setsVariable(Arguments arguments, String name) {
        return arguments.all(ENV).stream().anyMatch(given -> given.startsWith(name + "="))
                || arguments.all(PASS_ENV).contains(name);
    }

    private static ResourceLimits limits(Arguments arguments) {
        ResourceLimits none = ResourceLimits.none();
        ResourceLimits memory = value(arguments, MEMORY, text -> none.withMemory(ResourceLimits.parseBytes(text)))
                .orElse(none);
        ResourceLimits cpus = value(arguments, CPUS, text -> memory.withCpus(Numbers.decimal(CPUS, text)))
                .orElse(memory);
        return value(arguments, PIDS, text -> cpus.withProcesses(Numbers.whole(PIDS, text)))
                .orElse(cpus);
    }

    private static EnvironmentPolicy environment(Arguments arguments, InvocationContext caller, Console console) {
        EnvironmentPolicy environment = EnvironmentPolicy.empty();
        for (String name : arguments.all(PASS_ENV)) {
            environment = passing(environment, name, caller, console);
        }
        for (String assignment : arguments.all(ENV)) {
            int equals = assignment.indexOf('=');
            if (equals < 1) {
                throw new UsageException("--env is NAME=VALUE, not '" + assignment
                        + "'; a variable of yours is passed on by --pass-env NAME");
            }
            String name = assignment.substring(0, equals);
            String value = assignment.substring(equals + 1);
            requireVariable(name, value);
            environment = given(environment, name, value);
        }
        return environment;
    }

    /**
     * Adds a variable of the caller to the environment. Its value is read here and not by the
     * backend, which sees the locale that the launcher has set in place of the caller's.
     */
    private static EnvironmentPolicy passing(
            EnvironmentPolicy environment, String given, InvocationContext caller, Console console) {
        boolean forced = given.endsWith("!");
        String name = forced ? given.substring(0, given.length() - 1) : given;
        requireVariable(name, "");
        if (CodeInjectionVariables.matches(name)) {
            console.complain("--pass-env " + name + " is withheld: the variable can make programs run something else;"
                    + " set it with --env if that is wanted");
            return environment;
        }
        if (!forced && environment.withholds(name)) {
            console.complain(
                    "--pass-env " + name + " is withheld: the name looks like a credential's; write --pass-env " + name
                            + "! to pass it on all the same");
            return environment;
        }
        return caller.variable(name)
                .map(value -> given(environment, name, value))
                .orElse(environment);
    }

    /**
     * Adds a variable that the command line gives explicitly; it is passed on although its name may
     * look like a credential's.
     */
    private static EnvironmentPolicy given(EnvironmentPolicy environment, String name, String value) {
        EnvironmentPolicy more = environment.with(name, value);
        return more.credentials().matches(name) ? more.forcing(name) : more;
    }

    private static Duration killGrace(Arguments arguments) {
        return arguments
                .value(KILL_GRACE)
                .map(text -> Numbers.seconds(KILL_GRACE, text, Duration.ZERO, SpawnOptions.MAX_KILL_GRACE))
                .orElse(SpawnOptions.DEFAULT_KILL_GRACE);
    }

    private static void requireVariable(String name, String value) {
        try {
            SpawnOptions.builder("/").env(name, value).build();
        } catch (SpawnException refused) {
            throw new UsageException(Console.text(refused));
        }
    }

    private static String requireText(Option option, String value) {
        if (value.isBlank()) {
            throw new UsageException(option.name() + " lacks its value: " + option.usage());
        }
        return value;
    }

    private static <T> Optional<T> value(Arguments arguments, Option option, Function<String, T> parser) {
        return arguments.value(option).map(text -> parse(option, text, parser));
    }

    private static <T> T parse(Option option, String text, Function<String, T> parser) {
        return refusingMisuse(option.name() + " " + text + ": ", () -> parser.apply(text));
    }

    /**
     * Runs an action and converts an illegal argument into a usage error: the argument came from
     * the command line.
     */
    private static <T> T refusingMisuse(String at, Supplier<T> action) {
        try {
            return action.get();
        } catch (InvalidPathException noPath) {
            throw new UsageException(at + "not a path: '" + noPath.getInput() + "'");
        } catch (IllegalArgumentException refused) {
            throw new UsageException(at + Console.text(refused));
        }
    }
}
