package dev.paddock.executor;

import dev.paddock.executor.policy.SandboxPolicy;
import java.time.Duration;
import java.util.Map;

/** Probes a backend with a policy and settings, by a command in an executor of its own. */
final class PolicyProbe {
    /** Bounds the command; the creation of the executor is bounded by the backend. */
    private static final Duration BOUND = Duration.ofSeconds(10);

    private PolicyProbe() {}

    static Availability of(ExecutorProvider provider, SandboxPolicy policy, Map<String, String> settings) {
        try (CommandExecutor executor = provider.create(policy, settings)) {
            CommandResult result = executor.run(
                    "exit 0", RunOptions.in(policy.worktree().commandPath()).timeout(BOUND));
            return result.succeeded()
                    ? new Availability.Usable(provider.name(), executor.guarantees())
                    : new Availability.Unusable(
                            "the command 'exit 0' has not succeeded: " + result.outcome() + " "
                                    + result.errText().strip(),
                            "Remove the cause, or use another backend.");
        } catch (SandboxUnavailableException unavailable) {
            return unavailable.unusable();
        } catch (UnsupportedPolicyException unsupported) {
            return unsupported.unusable();
        } catch (ExecutorException fault) {
            return new Availability.Unusable(
                    String.valueOf(fault.getMessage()), "Remove the cause, or use another backend.");
        } catch (InterruptedException interrupt) {
            Thread.currentThread().interrupt();
            return new Availability.Unusable("the probe was interrupted", "Try again.", Availability.Outlook.UNDECIDED);
        }
    }
}
