package dev.paddock.cli.command;

import dev.paddock.cli.terminal.Console;
import dev.paddock.cli.terminal.InvocationContext;
import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.ExecutorProviders;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.config.Auditing;
import dev.paddock.executor.config.SandboxConfig;
import dev.paddock.executor.config.grant.UserContext;
import dev.paddock.executor.policy.CodeInjectionVariables;
import dev.paddock.executor.policy.EnvironmentPolicy;
import dev.paddock.executor.policy.Mount;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.policy.ProtectedPaths;
import dev.paddock.executor.policy.SandboxPolicy;
import dev.paddock.harness.AgentSession;
import dev.paddock.harness.AgentSessionBuilder;
import dev.paddock.harness.tools.hint.SandboxFacts;
import java.io.UncheckedIOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
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
 * @param auditing whether commands leave audit records
 */
public record SandboxOptions(
        String executor, SandboxPolicy policy, Map<String, String> settings, Duration killGrace, Auditing auditing) {

    /**
     * Returns what the command line grants unless a file or an option says otherwise. A caller without
     * a home directory has no identity.
     */
    private static SandboxConfig habits(InvocationContext caller) {
        SandboxConfig.Builder habits = SandboxConfig.builder().toolchains("path");
        return (caller.variable("HOME").isPresent() ? habits.identity("user") : habits).build();
    }

    /**
     * Reads the options, and the configuration files that they lie over.
     *
     * @throws UsageException if a value is malformed, or names something that does not exist
     * @throws dev.paddock.executor.config.SandboxConfigException if a configuration file is refused
     */
    public static SandboxOptions read(Arguments arguments, InvocationContext caller, Console console) {
        Path worktree = WorktreeChoice.read(arguments, caller);
        SandboxConfig config = config(arguments, caller, worktree);
        PathMapping mapping = mapping(arguments, worktree, config);
        return new SandboxOptions(
                config.executor(),
                policy(config.policy(mapping), arguments, caller, console),
                config.settings(),
                killGrace(arguments),
                config.auditing().orElse(Auditing.ON));
    }

    /**
     * Returns the options over the configuration files.
     *
     * @throws UsageException if a value is malformed
     * @throws dev.paddock.executor.config.SandboxConfigException if a file is not a valid
     *     configuration
     */
    public static SandboxConfig config(Arguments arguments, InvocationContext caller) {
        return config(arguments, caller, WorktreeChoice.read(arguments, caller));
    }

    private static SandboxConfig config(Arguments arguments, InvocationContext caller, Path worktree) {
        return over(ConfigFiles.read(arguments, caller, worktree), arguments, caller);
    }

    /**
     * Returns the options of a new workspace over the configuration files.
     *
     * @param source the directory that it begins as a copy of, whose file can only narrow
     * @throws UsageException if a value is malformed
     * @throws dev.paddock.executor.config.SandboxConfigException if a file is not a valid
     *     configuration
     */
    public static SandboxConfig ofNewWorkspace(Arguments arguments, InvocationContext caller, Optional<Path> source) {
        return source.isPresent() ? config(arguments, caller, source.get()) : ofWorkspaces(arguments, caller);
    }

    /**
     * Returns the options over the caller's own file: of the commands in a workspace, whose own file
     * is not read.
     *
     * @throws UsageException if a value is malformed
     * @throws dev.paddock.executor.config.SandboxConfigException if the file is not a valid
     *     configuration
     */
    public static SandboxConfig ofWorkspaces(Arguments arguments, InvocationContext caller) {
        return over(ConfigFiles.readOwn(arguments, caller), arguments, caller);
    }

    private static SandboxConfig over(SandboxConfig files, Arguments arguments, InvocationContext caller) {
        requireAudit(arguments, files);
        return given(arguments, caller).over(files).over(habits(caller)).forUser(UserContext.of(caller.environment()));
    }

    private static void requireAudit(Arguments arguments, SandboxConfig files) {
        if (arguments.has(SandboxFlags.NO_AUDIT) && files.auditing().equals(Optional.of(Auditing.REQUIRED))) {
            throw new UsageException(
                    "your configuration requires audit records ('paddock config show' shows where): leave "
                            + SandboxFlags.NO_AUDIT.name() + " out");
        }
    }

    /**
     * Returns whether the commands of a workspace leave audit records: the caller's own file and the
     * option decide, since no file in a workspace is read.
     *
     * @throws UsageException if the option contradicts the file
     */
    public static Auditing auditing(Arguments arguments, InvocationContext caller) {
        SandboxConfig own = ConfigFiles.readOwn(arguments, caller);
        requireAudit(arguments, own);
        return arguments.has(SandboxFlags.NO_AUDIT)
                ? Auditing.OFF
                : own.auditing().orElse(Auditing.ON);
    }

    /**
     * Returns the real path of the worktree.
     *
     * @throws UsageException if the directory cannot be used, or is not to be
     */
    public static Path worktree(Arguments arguments, InvocationContext caller) {
        return WorktreeChoice.read(arguments, caller);
    }

    /** Returns whether the command line names the worktree. */
    public static boolean namesWorktree(Arguments arguments) {
        return arguments.has(WorktreeChoice.WORKTREE);
    }

    /** Returns the worktree of the options. */
    public static PathMapping mapping(Arguments arguments, InvocationContext caller, SandboxConfig config) {
        return mapping(arguments, WorktreeChoice.read(arguments, caller), config);
    }

    private static PathMapping mapping(Arguments arguments, Path worktree, SandboxConfig config) {
        String usual = defaultCommandPath(config.settings().containsKey("image"), worktree);
        return value(arguments, SandboxFlags.EXEC_CWD, path -> new PathMapping(worktree, path))
                .orElseGet(() -> new PathMapping(worktree, usual));
    }

    /**
     * Returns the options as a configuration, without the files.
     *
     * @throws UsageException if a value is malformed
     */
    public static SandboxConfig given(Arguments arguments, InvocationContext caller) {
        SandboxConfig.Builder own = SandboxConfig.builder();
        value(arguments, SandboxFlags.EXECUTOR, own::executor);
        if (arguments.has(SandboxFlags.NO_AUDIT)) {
            own.auditing(Auditing.OFF);
        }
        settings(arguments).forEach((name, value) -> {
            if (name.equals("image")) {
                own.image(value);
            } else {
                own.container(value);
            }
        });
        NetworkChoice.read(arguments).ifPresent(own::network);
        value(arguments, SandboxFlags.MEMORY, text -> own.limit("memory", text));
        value(arguments, SandboxFlags.CPUS, text -> own.limit("cpus", text));
        value(arguments, SandboxFlags.PIDS, text -> own.limit("processes", text));
        for (String mount : arguments.all(SandboxFlags.MOUNT)) {
            own.mount(parse(SandboxFlags.MOUNT, mount, text -> Mount.parse(text, caller.directory())));
        }
        value(arguments, SandboxFlags.TOOLCHAINS, own::toolchains);
        value(arguments, SandboxFlags.IDENTITY, own::identity);
        for (String kinds : arguments.all(SandboxFlags.CACHE)) {
            for (String kind : kinds.split(",", -1)) {
                parse(SandboxFlags.CACHE, kinds, whole -> own.cache(kind.strip()));
            }
        }
        value(arguments, SandboxFlags.CACHE_SCOPE, own::cacheScope);
        if (arguments.has(SandboxFlags.CACHE_FROM_HOME)) {
            own.cacheFromHome(true);
        }
        for (String name : arguments.all(SandboxFlags.PASS_ENV)) {
            refusingMisuse("", () -> own.pass(name));
        }
        for (String assignment : arguments.all(SandboxFlags.ENV)) {
            int equals = assignment.indexOf('=');
            if (equals < 1) {
                throw new UsageException("--env is NAME=VALUE, not '" + assignment
                        + "'; a variable of yours is passed on by --pass-env NAME");
            }
            refusingMisuse("", () -> own.set(assignment.substring(0, equals), assignment.substring(equals + 1)));
        }
        return own.build();
    }

    /**
     * Returns the options for a directory that this program has made: a backend, its settings, and
     * the default policy.
     *
     * @throws UsageException if a value is malformed
     */
    public static SandboxOptions forDirectory(Arguments arguments, Path directory, String defaultExecutor) {
        String executor = arguments.value(SandboxFlags.EXECUTOR).orElse(defaultExecutor);
        SandboxConfig config = parse(SandboxFlags.EXECUTOR, executor, SandboxConfig.builder()::executor)
                .build();
        PathMapping mapping =
                new PathMapping(directory, defaultCommandPath(arguments.has(SandboxFlags.IMAGE), directory));
        return new SandboxOptions(
                config.executor(),
                config.policy(mapping),
                settings(arguments),
                SpawnOptions.DEFAULT_KILL_GRACE,
                Auditing.OFF);
    }

    private static Map<String, String> settings(Arguments arguments) {
        Map<String, String> settings = new LinkedHashMap<>();
        arguments
                .value(SandboxFlags.IMAGE)
                .ifPresent(image -> settings.put("image", requireText(SandboxFlags.IMAGE, image)));
        arguments
                .value(SandboxFlags.CONTAINER)
                .ifPresent(id -> settings.put("container", requireText(SandboxFlags.CONTAINER, id)));
        if (settings.size() > 1) {
            throw new UsageException("--image makes a container and --container uses one: give one of them");
        }
        return Map.copyOf(settings);
    }

    /**
     * Returns where commands see the worktree by default. A container made from an image mounts it
     * at a path that none of the image's own directories use.
     */
    private static String defaultCommandPath(boolean hasImage, Path worktree) {
        return hasImage ? "/work" : worktree.toString();
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
        return refusingMisuse("", () -> ExecutorProviders.open(executor, policy, settings, console.progress()));
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

    /** Returns what is known of the sandbox of these options, for hints. */
    public SandboxFacts facts(CommandExecutor opened, InvocationContext caller) {
        return new SandboxFacts(
                policy, opened.guarantees(), caller.variable("PATH").orElse(""), settings.isEmpty());
    }

    /**
     * Returns the start options of commands: the worktree as directory, and the requested grace.
     */
    public SpawnOptions.Builder spawnOptions() {
        return SpawnOptions.builder(policy.worktree().commandPath()).killGrace(killGrace);
    }

    /**
     * Completes a configuration's policy: variables to pass on get the caller's values, and the
     * directory of the caller's own configuration is protected.
     */
    private static SandboxPolicy policy(
            SandboxPolicy configured, Arguments arguments, InvocationContext caller, Console console) {
        SandboxPolicy.Builder policy =
                configured.toBuilder().environment(environment(configured.environment(), arguments, caller, console));
        ConfigFiles.realUserDirectory(caller).ifPresent(own -> {
            for (Mount mount : configured.mounts()) {
                if (mount.access() == Mount.Access.READ_WRITE && own.startsWith(mount.source())) {
                    throw new UsageException("a writable mount of '" + mount.source()
                            + "' would let commands write your configuration, " + own + "; mount it read-only");
                }
            }
            Path worktree = configured.worktree().hostPath();
            if (own.startsWith(worktree) && !own.equals(worktree)) {
                Set<String> names =
                        new LinkedHashSet<>(configured.protectedPaths().names());
                names.add(worktree.relativize(own).toString());
                policy.protectedPaths(
                        new ProtectedPaths(names, configured.protectedPaths().demand()));
            }
        });
        return policy.build();
    }

    /**
     * Returns the variables that a configuration gives to commands in a workspace.
     *
     * @param nowhere a directory without a file of the configuration; it need not exist
     */
    public static EnvironmentPolicy environment(
            SandboxConfig config, Path nowhere, Arguments arguments, InvocationContext caller, Console console) {
        SandboxPolicy policy = config.withoutUserGrants(PathMapping.same(nowhere));
        return environment(policy.environment(), arguments, caller, console);
    }

    /** Returns whether the command line gives commands a variable, or passes it on. */
    public static boolean setsVariable(Arguments arguments, String name) {
        return arguments.all(SandboxFlags.ENV).stream().anyMatch(given -> given.startsWith(name + "="))
                || arguments.all(SandboxFlags.PASS_ENV).contains(name);
    }

    private static EnvironmentPolicy environment(
            EnvironmentPolicy configured, Arguments arguments, InvocationContext caller, Console console) {
        EnvironmentPolicy environment = EnvironmentPolicy.empty();
        Set<String> passed = new TreeSet<>(configured.passed());
        passed.removeAll(configured.forced());
        for (String name : passed) {
            String option = arguments.all(SandboxFlags.PASS_ENV).contains(name) ? "--pass-env " : "environment.pass: ";
            environment = passing(environment, name, false, option, caller, console);
        }
        for (String name : new TreeSet<>(configured.forced())) {
            String option =
                    arguments.all(SandboxFlags.PASS_ENV).contains(name + "!") ? "--pass-env " : "environment.pass: ";
            environment = passing(environment, name, true, option, caller, console);
        }
        for (Map.Entry<String, String> variable : configured.variables().entrySet()) {
            environment = given(environment, variable.getKey(), variable.getValue());
        }
        return environment;
    }

    /**
     * Adds a variable of the caller to the environment. Its value is read here and not by the
     * backend, which sees the locale that the launcher has set in place of the caller's.
     */
    private static EnvironmentPolicy passing(
            EnvironmentPolicy environment,
            String name,
            boolean forced,
            String option,
            InvocationContext caller,
            Console console) {
        if (CodeInjectionVariables.matches(name)) {
            console.complain(option + name + " is withheld: the variable can make programs run something else;"
                    + " set it with --env if that is wanted");
            return environment;
        }
        if (!forced && environment.withholds(name)) {
            console.complain(option + name + " is withheld: the name looks like a credential's; write " + option + name
                    + "! to pass it on nevertheless");
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

    /**
     * Returns the time between SIGTERM and SIGKILL.
     *
     * @throws UsageException if it is malformed
     */
    public static Duration killGrace(Arguments arguments) {
        return arguments
                .value(SandboxFlags.KILL_GRACE)
                .map(text -> Numbers.seconds(SandboxFlags.KILL_GRACE, text, Duration.ZERO, SpawnOptions.MAX_KILL_GRACE))
                .orElse(SpawnOptions.DEFAULT_KILL_GRACE);
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
