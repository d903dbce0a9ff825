package dev.paddock.executor.landlock;

import dev.paddock.executor.Availability;
import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.ExecutorProvider;
import dev.paddock.executor.annotation.Api;
import dev.paddock.executor.landlock.kernel.LandlockKernel;
import dev.paddock.executor.os.posix.LibC;
import dev.paddock.executor.policy.SandboxPolicy;
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
 * Provides Landlock as the backend {@code "landlock"}. {@code auto} chooses it where bubblewrap
 * cannot be used.
 *
 * <p>Settings: {@code shell}, the absolute path of the commands' shell; {@code warmSlots}, the
 * number of warm slots; {@code quarantine}, the directory for files that commands add at protected
 * paths.
 *
 * @since 0.1
 */
@Api(status = Api.Status.INTERNAL) // public for the service loader
@SuppressWarnings("exports") // only the command line uses its upkeep
public final class LandlockProvider implements ExecutorProvider, BackendUpkeep {
    private static final String REMEDY = "Try again, or use another backend.";

    private static final int AUTO_PRIORITY = 200;

    private static final ProviderSettings<LandlockExecutor.Builder> SETTINGS =
            ProviderSettings.ofSandbox(LandlockExecutor.NAME);

    /** Creates the provider, for the service loader. */
    public LandlockProvider() {}

    @Override
    public String name() {
        return LandlockExecutor.NAME;
    }

    @Override
    public boolean hasSetting(String setting) {
        return SETTINGS.areAll(Set.of(setting));
    }

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
        return SandboxProbe.run(this, REMEDY, LandlockProvider::version, settings, bound);
    }

    @Override
    public Availability probe(SandboxPolicy policy, Map<String, String> settings) {
        return SandboxProbe.run(this, REMEDY, LandlockProvider::version, policy, settings);
    }

    private static String version() {
        return "Landlock " + LandlockKernel.find().orElseThrow().version() + ", Linux "
                + System.getProperty("os.version");
    }

    @Override
    public CommandExecutor create(SandboxPolicy policy, Map<String, String> settings) {
        return SETTINGS.apply(settings, LandlockExecutor.builder().policy(policy))
                .build();
    }

    @Override
    public List<Path> accept(Path path) {
        return Journals.accept(path);
    }

    @Override
    public List<String> sweep(SweepMode mode) {
        return SandboxSweep.withProcesses(LandlockExecutor.NAME, ControlGroups.detect(), mode);
    }
}
