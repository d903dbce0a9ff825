package dev.paddock.cli.command;

import dev.paddock.cli.terminal.Console;
import dev.paddock.cli.terminal.InvocationContext;
import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.CommandShell;
import dev.paddock.executor.ExecutorOptions;
import dev.paddock.executor.ExecutorProvider;
import dev.paddock.executor.ExecutorProviders;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.config.Auditing;
import dev.paddock.executor.config.SandboxConfig;
import dev.paddock.executor.config.SandboxConfigBuilder;
import dev.paddock.executor.policy.EnvironmentPolicy;
import dev.paddock.executor.policy.Mount;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.policy.ProtectedPaths;
import dev.paddock.executor.policy.SandboxPolicy;
import dev.paddock.harness.AgentSession;
import dev.paddock.harness.AgentSessionBuilder;
import dev.paddock.harness.tools.hint.SandboxFacts;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The options of all subcommands that run commands: the backend, and what it grants to commands.
 *
 * @param executor a backend's name, or {@code auto}
 * @param chosen the chosen backend, if the user names several
 * @param policy what the sandbox grants
 * @param settings the backend's own settings
 * @param killGrace how long a command has between SIGTERM and SIGKILL
 * @param auditing whether commands leave audit records
 * @param shell the shell that runs a model's commands
 */
public record ExecutionOptions(
        String executor,
        Optional<ExecutorProvider> chosen,
        SandboxPolicy policy,
        Map<String, String> settings,
        Duration killGrace,
        Auditing auditing,
        CommandShell shell) {

    /** Returns the default grants of the command line. A caller without a home directory has no identity. */
    private static SandboxConfig defaults(InvocationContext caller) {
        SandboxConfigBuilder habits = SandboxConfig.builder().toolchains("path");
        return (caller.variable("HOME").isPresent() ? habits.identity("user") : habits).build();
    }

    /**
     * Reads the options on top of the configuration files.
     *
     * @throws UsageException if a value is malformed, or names something that does not exist
     * @throws dev.paddock.executor.config.SandboxConfigException if a configuration file is refused
     */
    public static ExecutionOptions read(Arguments arguments, InvocationContext caller, Console console) {
        Thread preload = new Thread(ExecutorProviders::preload, "paddock-preload");
        preload.setDaemon(true);
        preload.start();
        Path worktree = WorktreeChoice.read(arguments, caller);
        SandboxConfig config = config(arguments, caller, worktree).resolved();
        PathMapping mapping = mapping(arguments, worktree, config);
        return new ExecutionOptions(
                config.executor(),
                config.chosen(),
                policy(config.policy(mapping), arguments, caller, console),
                config.settings(),
                killGrace(arguments),
                config.auditing().orElse(Auditing.ON),
                config.shell());
    }

    /**
     * Returns the options on top of the configuration files.
     *
     * @throws UsageException if a value is malformed
     * @throws dev.paddock.executor.config.SandboxConfigException if a file is not a valid configuration
     */
    public static SandboxConfig config(Arguments arguments, InvocationContext caller) {
        return config(arguments, caller, WorktreeChoice.read(arguments, caller));
    }

    private static SandboxConfig config(Arguments arguments, InvocationContext caller, Path worktree) {
        return over(ConfigFiles.read(arguments, caller, worktree), arguments, caller);
    }

    /**
     * Returns the options of a new workspace on top of the configuration files.
     *
     * @param source the directory to copy, whose file can only narrow
     * @throws UsageException if a value is malformed
     * @throws dev.paddock.executor.config.SandboxConfigException if a file is not a valid configuration
     */
    public static SandboxConfig ofNewWorkspace(Arguments arguments, InvocationContext caller, Optional<Path> source) {
        return source.isPresent() ? config(arguments, caller, source.get()) : ofWorkspaces(arguments, caller);
    }

    /**
     * Returns the options on top of the caller's own file, for commands in a workspace, whose own file is not read.
     *
     * @throws UsageException if a value is malformed
     * @throws dev.paddock.executor.config.SandboxConfigException if the file is not a valid configuration
     */
    public static SandboxConfig ofWorkspaces(Arguments arguments, InvocationContext caller) {
        return over(ConfigFiles.readOwn(arguments, caller), arguments, caller);
    }

    private static SandboxConfig over(SandboxConfig files, Arguments arguments, InvocationContext caller) {
        requireAudit(arguments, files);
        return GivenOptions.read(arguments, caller)
                .over(files)
                .over(defaults(caller))
                .forUser(caller.environment());
    }

    private static void requireAudit(Arguments arguments, SandboxConfig files) {
        if (arguments.has(SandboxFlags.NO_AUDIT) && files.auditing().equals(Optional.of(Auditing.REQUIRED))) {
            throw new UsageException(
                    "your configuration requires audit records ('paddock config show' shows where): leave "
                            + SandboxFlags.NO_AUDIT.name() + " out");
        }
    }

    /**
     * Returns whether the commands of a workspace leave audit records, by the caller's own file and the option: no file
     * in a workspace is read.
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
     * @throws UsageException if the directory cannot or must not be used
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
        Map<String, String> settings = config.settings();
        boolean isMade = settings.containsKey("image") || settings.containsKey("claim");
        String usual = defaultCommandPath(isMade, worktree);
        return OptionValues.value(arguments, SandboxFlags.EXEC_CWD, path -> new PathMapping(worktree, path))
                .orElseGet(() -> new PathMapping(worktree, usual));
    }

    /**
     * Returns the options for a directory that this program has created: a backend, its settings, and the default
     * policy.
     *
     * @throws UsageException if a value is malformed
     */
    public static ExecutionOptions forDirectory(Arguments arguments, Path directory, String defaultExecutor) {
        String executor = arguments.value(SandboxFlags.EXECUTOR).orElse(defaultExecutor);
        SandboxConfig config = OptionValues.parse(SandboxFlags.EXECUTOR, executor, SandboxConfig.builder()::executor)
                .build();
        PathMapping mapping = new PathMapping(
                directory,
                defaultCommandPath(arguments.has(SandboxFlags.IMAGE) || arguments.has(SandboxFlags.CLAIM), directory));
        return new ExecutionOptions(
                config.executor(),
                config.chosen(),
                config.policy(mapping),
                GivenOptions.settings(arguments),
                SpawnOptions.DEFAULT_KILL_GRACE,
                Auditing.OFF,
                config.shell());
    }

    /** Returns the default command path of the worktree: in a new container or pod, one that images do not use. */
    private static String defaultCommandPath(boolean isMade, Path worktree) {
        return isMade ? "/work" : worktree.toString();
    }

    /** Opens the executor as {@link #open(Console, LateObservers)} does, without an observer. */
    public CommandExecutor open(Console console) {
        return open(console, new LateObservers());
    }

    /**
     * Opens the executor.
     *
     * @param console shows the progress of long preparations before the first command can run
     * @param observers receive its connections
     * @throws UsageException if there is no such backend, or it does not know a setting
     * @throws dev.paddock.executor.ExecutorException if the sandbox is not available or cannot enforce the policy
     */
    public CommandExecutor open(Console console, LateObservers observers) {
        ExecutorOptions options =
                observers.addTo(ExecutorOptions.of(policy).settings(settings).onProgress(console.progress()));
        return OptionValues.refusingMisuse(
                "",
                () -> chosen.isPresent() ? chosen.get().create(options) : ExecutorProviders.open(executor, options));
    }

    /**
     * Returns these options for an opened executor: one on another machine determines the command path of the worktree.
     */
    public ExecutionOptions in(CommandExecutor opened) {
        PathMapping known = opened.worktree().orElse(policy.worktree());
        return known.equals(policy.worktree())
                ? this
                : new ExecutionOptions(
                        executor,
                        chosen,
                        policy.toBuilder().worktree(known).build(),
                        settings,
                        killGrace,
                        auditing,
                        shell);
    }

    /**
     * Returns a session builder with the worktree, the policy and the grace; the caller adds the
     * executor.
     */
    public AgentSessionBuilder session() {
        return place(AgentSession.builder());
    }

    /**
     * Sets an executor that these options have opened in a session's builder.
     *
     * @return the same builder
     */
    public AgentSessionBuilder place(AgentSessionBuilder builder, CommandExecutor opened) {
        return in(opened).place(builder).executor(opened);
    }

    private AgentSessionBuilder place(AgentSessionBuilder builder) {
        return builder.cwd(policy.worktree().hostPath())
                .execCwd(policy.worktree().commandPath())
                .policy(policy)
                .shell(shell)
                .killGrace(killGrace);
    }

    /**
     * Builds a session from the options of this command line.
     *
     * @throws UsageException if the session refuses a value, since it came from the command line
     */
    public static AgentSession build(AgentSessionBuilder builder) {
        try {
            return builder.build();
        } catch (IllegalArgumentException | IllegalStateException | UncheckedIOException refused) {
            throw new UsageException(Console.text(refused));
        }
    }

    /** Returns the facts about the sandbox of these options, for hints. */
    public SandboxFacts facts(CommandExecutor opened, InvocationContext caller) {
        return new SandboxFacts(
                policy,
                opened.guarantees(),
                caller.variable("PATH").orElse(""),
                SandboxFacts.seesHostPaths(opened.name()));
    }

    /**
     * Returns the start options of commands: the worktree as directory, and the requested grace.
     */
    public SpawnOptions.Builder spawnOptions() {
        return SpawnOptions.builder(policy.worktree().commandPath()).killGrace(killGrace);
    }

    /**
     * Completes a configuration's policy: gives variables to pass on the caller's values, and protects the directory of
     * the caller's own configuration.
     */
    private static SandboxPolicy policy(
            SandboxPolicy configured, Arguments arguments, InvocationContext caller, Console console) {
        SandboxPolicy.Builder policy = configured.toBuilder()
                .environment(CommandVariables.of(configured.environment(), arguments, caller, console));
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
                        ProtectedPaths.of(names, configured.protectedPaths().demand()));
            }
        });
        WorktreeChoice.alias(arguments, caller, configured.worktree().hostPath())
                .filter(typed -> configured.worktree().isSame())
                .ifPresent(typed -> policy.alias(typed.toString()));
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
        return CommandVariables.of(policy.environment(), arguments, caller, console);
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
}
