package dev.paddock.executor.ssh;

import dev.paddock.executor.Availability;
import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.ExecutorOptions;
import dev.paddock.executor.ExecutorProvider;
import dev.paddock.executor.Progress;
import dev.paddock.executor.annotation.Api;
import dev.paddock.executor.os.state.PrivateState;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.policy.SandboxPolicy;
import dev.paddock.executor.process.launch.HelperCommand;
import dev.paddock.executor.process.launch.HostEnvironment;
import dev.paddock.executor.sandbox.backend.ProviderSettings;
import dev.paddock.executor.sandbox.policy.Capabilities;
import dev.paddock.executor.sandbox.policy.Feature;
import dev.paddock.executor.sandbox.policy.PolicyCheck;
import dev.paddock.executor.upkeep.BackendUpkeep;
import dev.paddock.executor.upkeep.SweepMode;
import dev.paddock.executor.worktree.Journals;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Provides a host that ssh reaches as the backend {@code "ssh"}, which {@code auto} never chooses.
 *
 * <p>It enforces nothing, and so rejects every policy that requires enforcement. Settings: {@code
 * host}, which is required; {@code config}, {@code identity}, {@code port}, {@code connectTimeout} in
 * seconds; {@code files}, {@code sync} (the default) or {@code shared}; {@code remoteDirectory}, an
 * absolute path, by default the policy's path of the worktree for commands, if that is another than
 * the host's; {@code quarantine}, a directory; {@code warmSlots}, a number; {@code
 * maxFetch}, in MiB; {@code fetchTimeout}, in seconds.
 *
 * @since 0.1
 */
@Api(status = Api.Status.INTERNAL) // public for the service loader
@SuppressWarnings("exports") // the command line alone uses its upkeep
public final class SshProvider implements ExecutorProvider, BackendUpkeep {
    private static final String HOST = "host";
    private static final String FILES = "files";
    private static final String REMOTE_DIRECTORY = "remoteDirectory";

    /** In a nested class, since every start of a program loads all providers. */
    private static final class Table {
        /** {@code create} reads three further settings itself. */
        private static final ProviderSettings<SshExecutor.Builder> SETTINGS = ProviderSettings.<SshExecutor.Builder>of(
                        SshExecutor.BACKEND)
                .with(HOST, (builder, value) -> {})
                .with(FILES, (builder, value) -> {})
                .with(REMOTE_DIRECTORY, (builder, value) -> {})
                .with("config", (builder, value) -> builder.configFile(Path.of(value)))
                .with("identity", (builder, value) -> builder.identity(Path.of(value)))
                .with("port", (builder, value) -> builder.port(ProviderSettings.wholeNumber("port", value)))
                .with(
                        "connectTimeout",
                        (builder, value) -> builder.connectTimeout(
                                Duration.ofSeconds(ProviderSettings.wholeNumber("connectTimeout", value))))
                .with("quarantine", (builder, value) -> builder.quarantine(Path.of(value)))
                .with(
                        "warmSlots",
                        (builder, value) -> builder.warmSlots(ProviderSettings.wholeNumber("warmSlots", value)))
                .with(
                        "maxFetch",
                        (builder, value) ->
                                builder.maxFetch((long) ProviderSettings.wholeNumber("maxFetch", value) << 20))
                .with(
                        "fetchTimeout",
                        (builder, value) -> builder.fetchTimeout(
                                Duration.ofSeconds(ProviderSettings.wholeNumber("fetchTimeout", value))));

        private static final Capabilities CAPABILITIES = capabilities();

        private static Capabilities capabilities() {
            Capabilities left = Capabilities.of(SshExecutor.BACKEND);
            for (Feature feature : Feature.values()) {
                if (feature != Feature.WORKTREE_MAPPING) {
                    left = left.without(
                            feature,
                            "commands run on another host, with the user's rights there",
                            "choose a backend with a sandbox, or do not ask for it");
                }
            }
            return left;
        }

        private Table() {}
    }

    /** Creates the provider; called by the service loader. */
    public SshProvider() {}

    @Override
    public String name() {
        return SshExecutor.BACKEND;
    }

    /** Checks only for the ssh program; the first command shows whether the host is reachable. */
    @Override
    public Availability probe() {
        if (HostEnvironment.findProgram("ssh").isEmpty()) {
            return new Availability.Unusable(
                    "there is no program ssh on PATH", "Install it (Debian: apt-get install openssh-client).");
        }
        HelperCommand.Result version = HelperCommand.run(List.of("ssh", "-V"));
        return version.succeeded()
                ? new Availability.Usable(version.output().strip(), Set.of())
                : new Availability.Unusable(
                        "ssh does not run: " + version.output().strip(), "Reinstall it, and check 'ssh -V'.");
    }

    @Override
    public CommandExecutor create(SandboxPolicy policy, Map<String, String> settings) {
        return create(ExecutorOptions.of(policy).settings(settings));
    }

    @Override
    public CommandExecutor create(ExecutorOptions options) {
        SandboxPolicy policy = options.policy();
        Map<String, String> settings = options.settings();
        Consumer<Progress> progress = options.progress();
        SshExecutor.Builder builder =
                Table.SETTINGS.apply(settings, SshExecutor.builder(settings.getOrDefault(HOST, "")));
        if (!settings.containsKey(HOST)) {
            throw new IllegalArgumentException("the ssh backend needs the setting 'host', as in build@example.org");
        }
        PolicyCheck.of(policy, Table.CAPABILITIES).require();
        builder.protectedPaths(policy.protectedPaths())
                .env(policy.environment().resolve(HostEnvironment.all()))
                .onProgress(progress);
        files(builder, policy.worktree(), settings);
        return builder.build();
    }

    private static void files(SshExecutor.Builder builder, PathMapping worktree, Map<String, String> settings) {
        String files = settings.getOrDefault(FILES, "sync");
        boolean isMapped = !worktree.equals(PathMapping.same(worktree.hostPath()));
        String named = settings.getOrDefault(REMOTE_DIRECTORY, isMapped ? worktree.commandPath() : "");
        switch (files) {
            case "sync" -> {
                builder.worktree(worktree.hostPath());
                if (!named.isEmpty()) {
                    builder.remoteDirectory(named);
                }
            }
            case "shared" ->
                builder.sharedDirectory(
                        new PathMapping(worktree.hostPath(), named.isEmpty() ? worktree.commandPath() : named));
            default -> throw new IllegalArgumentException("files must be 'sync' or 'shared', not '" + files + "'");
        }
    }

    @Override
    public List<Path> accept(Path path) {
        return Journals.accept(path);
    }

    /**
     * Removes what executors of dead JVMs left here and on the hosts that they had connected to.
     * Connects to each of these hosts as the executor did.
     */
    @Override
    public List<String> sweep(SweepMode mode) {
        List<String> done = new ArrayList<>(RemoteDirectory.sweep(mode));
        done.addAll(PrivateState.sweep(SshExecutor.BACKEND, mode));
        return done;
    }
}
