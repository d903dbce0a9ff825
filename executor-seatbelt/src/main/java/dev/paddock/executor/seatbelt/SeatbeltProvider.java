package dev.paddock.executor.seatbelt;

import dev.paddock.executor.Availability;
import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.ExecutorOptions;
import dev.paddock.executor.ExecutorProvider;
import dev.paddock.executor.annotation.Api;
import dev.paddock.executor.os.state.PrivateState;
import dev.paddock.executor.policy.SandboxPolicy;
import dev.paddock.executor.process.supervise.HostSweep;
import dev.paddock.executor.sandbox.backend.ProviderSettings;
import dev.paddock.executor.sandbox.backend.SandboxProbe;
import dev.paddock.executor.upkeep.BackendUpkeep;
import dev.paddock.executor.upkeep.SweepMode;
import dev.paddock.executor.worktree.Journals;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;

/**
 * Provides Seatbelt as the backend {@code "seatbelt"}. {@code auto} chooses it on macOS.
 *
 * <p>Settings: {@code shell}, the absolute path of the commands' shell; {@code warmSlots}, the
 * number of warm slots; {@code quarantine}, the directory for files that commands add at protected
 * paths.
 *
 * @since 0.1
 */
@Api(status = Api.Status.INTERNAL) // public for the service loader
@SuppressWarnings("exports") // the command line alone uses its upkeep
public final class SeatbeltProvider implements ExecutorProvider, BackendUpkeep {
    private static final int AUTO_PRIORITY = 300;

    private static final ProviderSettings<SeatbeltExecutor.Builder> SETTINGS =
            ProviderSettings.ofSandbox(SeatbeltExecutor.NAME);

    private final MacSandbox program;

    /** Creates the provider. The service loader calls it. */
    public SeatbeltProvider() {
        this(MacSandbox.OF_THIS_MACHINE);
    }

    SeatbeltProvider(MacSandbox program) {
        this.program = program;
    }

    @Override
    public String name() {
        return SeatbeltExecutor.NAME;
    }

    @Override
    public boolean hasSetting(String setting) {
        return SETTINGS.areAll(Set.of(setting));
    }

    @Override
    public OptionalInt autoPriority(Map<String, String> settings) {
        boolean eligible = program.isMac() && SETTINGS.areAll(settings.keySet());
        return eligible ? OptionalInt.of(AUTO_PRIORITY) : OptionalInt.empty();
    }

    @Override
    public Availability probe() {
        return probe(Map.of(), SandboxProbe.BOUND);
    }

    @Override
    public Availability probe(Map<String, String> settings, Duration bound) {
        return SandboxProbe.run(this, SeatbeltExecutor.REMEDY, SeatbeltProvider::version, settings, bound);
    }

    @Override
    public Availability probe(SandboxPolicy policy, Map<String, String> settings) {
        return SandboxProbe.run(this, SeatbeltExecutor.REMEDY, SeatbeltProvider::version, policy, settings);
    }

    private static String version() {
        return "sandbox-exec, macOS " + System.getProperty("os.version") + "; not yet tested on macOS";
    }

    @Override
    public CommandExecutor create(SandboxPolicy policy, Map<String, String> settings) {
        return create(ExecutorOptions.of(policy).settings(settings));
    }

    @Override
    public CommandExecutor create(ExecutorOptions options) {
        return SETTINGS.apply(
                        options.settings(),
                        SeatbeltExecutor.builder()
                                .with(program)
                                .policy(options.policy())
                                .connections(options))
                .build();
    }

    @Override
    public List<Path> accept(Path path) {
        return Journals.accept(path);
    }

    @Override
    public List<String> sweep(SweepMode mode) {
        List<String> done = new ArrayList<>(HostSweep.run(mode));
        done.addAll(PrivateState.sweep(SeatbeltExecutor.NAME, mode));
        return done;
    }
}
