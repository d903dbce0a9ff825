package dev.paddock.cli.doctor;

import dev.paddock.cli.command.Arguments;
import dev.paddock.cli.command.ExecutionOptions;
import dev.paddock.cli.command.UsageException;
import dev.paddock.cli.terminal.Console;
import dev.paddock.cli.terminal.InvocationContext;
import dev.paddock.executor.Availability;
import dev.paddock.executor.ExecutorProviders;
import dev.paddock.executor.SandboxUnavailableException;
import dev.paddock.executor.config.Finding;
import dev.paddock.executor.config.SandboxConfig;
import dev.paddock.executor.config.SandboxConfigException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The backend that a command in the caller's directory would run in, chosen as {@code paddock exec} chooses it.
 *
 * @param name the backend; empty if the command would not run
 * @param sentence says so for people
 * @param faults the faults that a command there has found, such as that it cannot write
 */
record UsedBackend(Optional<String> name, String sentence, List<Finding> faults) {
    /** Their commands are not tried without a request: they may fetch an image, start a pod, or dial a host. */
    private static final Set<String> REMOTE = Set.of("docker", "kubernetes", "ssh");

    static UsedBackend find(
            Arguments arguments, InvocationContext caller, Console console, Map<String, Availability> findings) {
        try {
            SandboxConfig config = ExecutionOptions.config(arguments, caller);
            String asked = config.executor();
            String chosen = ExecutorProviders.choose(asked, config.settings()).name();
            // The choice does not probe a named backend.
            return asked.equals(chosen) && findings.get(chosen) instanceof Availability.Unusable
                    ? none("the executor is " + chosen + ", which cannot be used.")
                    : new UsedBackend(
                            Optional.of(chosen),
                            "Commands here run in " + chosen + " (executor: " + asked + ").",
                            REMOTE.contains(chosen) ? List.of() : faults(arguments, caller, console, config));
        } catch (SandboxUnavailableException unavailable) {
            return none(String.valueOf(unavailable.getMessage()));
        } catch (SandboxConfigException refused) {
            return none(Console.text(refused));
        } catch (IllegalArgumentException | UsageException malformed) {
            return none(malformed.getMessage() + ".");
        }
    }

    private static List<Finding> faults(
            Arguments arguments, InvocationContext caller, Console console, SandboxConfig config) {
        try {
            return config.check(ExecutionOptions.mapping(arguments, caller, config), console.progress()).stream()
                    .filter(finding -> !finding.ok())
                    .toList();
        } catch (RuntimeException broken) { // of a backend that is not Paddock's
            return List.of(
                    new Finding("check", false, "it failed: " + broken, "Reinstall paddock, or report the fault."));
        } finally {
            console.progress().clear();
        }
    }

    private static UsedBackend none(String why) {
        return new UsedBackend(Optional.empty(), "Commands here do not run: " + why, List.of());
    }
}
