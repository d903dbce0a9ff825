package dev.paddock.executor.host;

import dev.paddock.executor.Availability;
import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.ExecutorProvider;
import dev.paddock.executor.Guarantee;
import dev.paddock.executor.annotation.Api;
import dev.paddock.executor.os.posix.LibC;
import dev.paddock.executor.os.posix.Posix;
import dev.paddock.executor.policy.SandboxPolicy;
import dev.paddock.executor.process.launch.HostEnvironment;
import dev.paddock.executor.process.supervise.HostSweep;
import dev.paddock.executor.sandbox.backend.ProviderSettings;
import dev.paddock.executor.sandbox.policy.Capabilities;
import dev.paddock.executor.sandbox.policy.Feature;
import dev.paddock.executor.sandbox.policy.PolicyCheck;
import dev.paddock.executor.upkeep.BackendUpkeep;
import dev.paddock.executor.upkeep.SweepMode;
import java.util.List;
import java.util.Map;

/**
 * Provides the host as the backend {@code "host"}, which {@code auto} never chooses.
 *
 * <p>It enforces nothing, and so rejects every policy that requires enforcement; it ignores the
 * parts of a policy that are best effort. Settings: {@code shell}, a program's name or absolute
 * path; {@code warmSlots}, the number of warm slots.
 *
 * @since 0.1
 */
@Api(status = Api.Status.INTERNAL) // public for the service loader
@SuppressWarnings("exports") // the command line alone uses its upkeep
public final class HostProvider implements ExecutorProvider, BackendUpkeep {
    static final String NAME = "host";
    private static final ProviderSettings<HostExecutor.Builder> SETTINGS = ProviderSettings.ofExecutor(NAME);

    private static final Capabilities CAPABILITIES = capabilities();

    private static Capabilities capabilities() {
        Capabilities left = Capabilities.of(NAME);
        for (Feature feature : Feature.values()) {
            if (feature != Feature.MOUNTS && feature != Feature.READ_ONLY_INSIDE_WRITABLE) {
                left = left.without(
                        feature,
                        "commands run on the host itself, with the user's rights",
                        "choose a backend with a sandbox, or do not ask for it");
            }
        }
        return left;
    }

    /** Creates the provider. The service loader calls it. */
    public HostProvider() {}

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Availability probe() {
        if (HostEnvironment.findProgram(HostEnvironment.SHELL).isEmpty()) {
            return new Availability.Unusable(
                    "there is no " + HostEnvironment.SHELL,
                    "Use a POSIX system; on Windows, WSL or the docker backend.");
        }
        try (HostExecutor executor = HostExecutor.create()) {
            return new Availability.Usable(
                    System.getProperty("os.name") + " " + System.getProperty("os.version")
                            + gaps(LibC.isMac(), executor.guarantees().contains(Guarantee.EXACT_STATUS)),
                    executor.guarantees());
        } catch (RuntimeException fault) {
            return new Availability.Unusable(
                    "processes cannot be started: " + fault.getMessage(),
                    "Free processes, descriptors or memory.",
                    true);
        }
    }

    /** Describes the processes that outlive the JVM or their command on this system, but would not on Linux. */
    static String gaps(boolean isMac, boolean isNative) {
        if (!isNative) {
            return ", processes by the JDK's own means"
                    + Posix.obstacle()
                            .map(obstacle -> ", since " + obstacle.reason())
                            .orElse("")
                    + (isMac
                            ? ": commands outlive a JVM that is killed, and a process that loses its parent outlives"
                                    + " its command"
                            : "");
        }
        return isMac
                ? ", not tested there by its authors; Apple's programs that leave their session outlive their command"
                : "";
    }

    @Override
    public CommandExecutor create(SandboxPolicy policy, Map<String, String> settings) {
        HostExecutor.Builder builder = SETTINGS.apply(settings, HostExecutor.builder());
        PolicyCheck.of(policy, CAPABILITIES).require();
        return builder.env(policy.environment().resolve(HostEnvironment.all())).build();
    }

    @Override
    public List<String> sweep(SweepMode mode) {
        return HostSweep.run(mode);
    }
}
