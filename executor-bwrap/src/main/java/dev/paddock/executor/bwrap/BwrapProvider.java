package dev.paddock.executor.bwrap;

import dev.paddock.executor.Availability;
import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.ExecutorOptions;
import dev.paddock.executor.ExecutorProvider;
import dev.paddock.executor.annotation.Api;
import dev.paddock.executor.os.posix.LibC;
import dev.paddock.executor.policy.SandboxPolicy;
import dev.paddock.executor.process.launch.HelperCommand;
import dev.paddock.executor.sandbox.backend.ProviderSettings;
import dev.paddock.executor.sandbox.backend.SandboxProbe;
import dev.paddock.executor.sandbox.backend.SandboxSweep;
import dev.paddock.executor.sandbox.cgroup.ControlGroups;
import dev.paddock.executor.upkeep.BackendUpkeep;
import dev.paddock.executor.upkeep.SweepMode;
import dev.paddock.executor.worktree.Journals;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;

/**
 * Provides bubblewrap as the backend {@code bwrap}. Settings: {@code program}, the bubblewrap program; {@code root},
 * {@code read-only} or {@code writable}; {@code shell}, the absolute path of the commands' shell; {@code warmSlots},
 * the number of warm slots; {@code quarantine}, the directory for files that commands add at protected paths. See
 * {@link BwrapExecutor.Builder} for the defaults.
 *
 * @since 0.1
 */
@Api(status = Api.Status.INTERNAL) // public for the service loader
@SuppressWarnings("exports") // only the command line uses its upkeep
public final class BwrapProvider implements ExecutorProvider, BackendUpkeep {
    static final String NAME = "bwrap";

    private static final String REMEDY =
            "See whether 'bwrap --ro-bind / / true' hangs or fails, or use another backend.";

    private static final int AUTO_PRIORITY = 100;

    private static final ProviderSettings<BwrapExecutor.Builder> SETTINGS =
            ProviderSettings.<BwrapExecutor.Builder>ofSandbox(NAME)
                    .with("program", (builder, value) -> builder.program(Path.of(value)))
                    .with("root", (builder, value) -> builder.writableRoot(ProviderSettings.isWritable(value)));

    /** Creates the provider, for the service loader. */
    public BwrapProvider() {}

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public boolean hasSetting(String setting) {
        return SETTINGS.areAll(Set.of(setting));
    }

    /** Returns no priority if the settings belong to another backend: a user who names an image wants a container. */
    @Override
    public OptionalInt autoPriority(Map<String, String> settings) {
        return SETTINGS.areAll(settings.keySet()) ? OptionalInt.of(AUTO_PRIORITY) : OptionalInt.empty();
    }

    @Override
    public void preload() {
        var unused = LibC.obstacle();
    }

    @Override
    public Availability probe() {
        return probe(Map.of(), SandboxProbe.BOUND);
    }

    @Override
    public Availability probe(Map<String, String> settings, Duration bound) {
        return SandboxProbe.run(this, REMEDY, () -> version(settings), settings, bound);
    }

    @Override
    public Availability probe(SandboxPolicy policy, Map<String, String> settings) {
        return SandboxProbe.run(this, REMEDY, () -> version(settings), policy, settings);
    }

    private static String version(Map<String, String> settings) {
        return HelperCommand.run(List.of(settings.getOrDefault("program", NAME), "--version"))
                .output()
                .strip();
    }

    @Override
    public CommandExecutor create(SandboxPolicy policy, Map<String, String> settings) {
        return create(ExecutorOptions.of(policy).settings(settings));
    }

    @Override
    public CommandExecutor create(ExecutorOptions options) {
        return SETTINGS.apply(
                        options.settings(),
                        BwrapExecutor.builder().policy(options.policy()).connections(options))
                .build();
    }

    @Override
    public List<Path> accept(Path path) {
        return Journals.accept(path);
    }

    @Override
    public List<String> sweep(SweepMode mode) {
        return SandboxSweep.withProcesses(NAME, ControlGroups.detect(), mode);
    }
}
