package dev.paddock.executor.tck;

import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.ExecutorProvider;
import dev.paddock.executor.policy.PathMapping;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * An executor as the suite tests it, made by {@link #of} and, where there is more to test, the {@code with} methods.
 *
 * @param executor a new executor; the suite disposes of it
 * @param shared the {@linkplain ContractEnvironment#sharedDirectory() shared directory} and the path at which the
 *     executor's commands see it
 * @param provider the provider of executors like this one, which tests policies: unclaimed guarantees are refused,
 *     limits bind. Without it those tests are skipped
 * @param settings the settings for the provider
 * @param unavailable makes an executor whose sandbox cannot be had (C14); without it that test is skipped
 * @param faults ways in which this executor's sandbox can be lost (C15); none by default, for places that cannot be
 * @param manyCommands how many commands the endurance test of C13 runs; 1,000 by default, which the clause asks for
 * @param furtherRun whether what only luck would pass is tried a fifth as often; false by default
 * @param patience how long the suite waits for what must come but has no bound in the contract; 30 s by default
 */
public record ContractSubject(
        CommandExecutor executor,
        PathMapping shared,
        Optional<ExecutorProvider> provider,
        Map<String, String> settings,
        Optional<Supplier<CommandExecutor>> unavailable,
        List<SandboxFault> faults,
        int manyCommands,
        boolean furtherRun,
        Duration patience) {

    /** What C13 asks for. */
    static final int MANY_COMMANDS = 1000;

    /** Makes a subject. */
    public ContractSubject {
        settings = Map.copyOf(settings);
        faults = List.copyOf(faults);
    }

    /**
     * An executor with the defaults.
     *
     * @param executor a new executor; the suite disposes of it
     * @param shared the shared directory under its two names
     * @return the subject
     */
    public static ContractSubject of(CommandExecutor executor, PathMapping shared) {
        return new ContractSubject(
                executor,
                shared,
                Optional.empty(),
                Map.of(),
                Optional.empty(),
                List.of(),
                MANY_COMMANDS,
                false,
                Duration.ofSeconds(30));
    }

    /**
     * This subject with the provider of its like.
     *
     * @param value the provider
     * @param providerSettings the settings that make executors like this one
     * @return the subject
     */
    public ContractSubject withProvider(ExecutorProvider value, Map<String, String> providerSettings) {
        return new ContractSubject(
                executor,
                shared,
                Optional.of(value),
                providerSettings,
                unavailable,
                faults,
                manyCommands,
                furtherRun,
                patience);
    }

    /**
     * This subject with a way to make an executor whose sandbox cannot be had.
     *
     * @param value makes it; both making it and its {@code spawn} may throw
     * @return the subject
     */
    public ContractSubject withUnavailable(Supplier<CommandExecutor> value) {
        return new ContractSubject(
                executor, shared, provider, settings, Optional.of(value), faults, manyCommands, furtherRun, patience);
    }

    /**
     * This subject with ways to lose its sandbox.
     *
     * @param value the faults, which act on this subject's executor alone
     * @return the subject
     */
    public ContractSubject withFaults(SandboxFault... value) {
        return new ContractSubject(
                executor, shared, provider, settings, unavailable, List.of(value), manyCommands, furtherRun, patience);
    }

    /**
     * This subject with another number of commands in the endurance test.
     *
     * @param value the number
     * @return the subject
     */
    public ContractSubject withManyCommands(int value) {
        return new ContractSubject(
                executor, shared, provider, settings, unavailable, faults, value, furtherRun, patience);
    }

    /**
     * This subject for one more run of a suite that is run in full elsewhere, in another image or as another user: 100 commands in
     * the endurance test, and a fifth of the tries where luck plays a part.
     *
     * @return the subject
     */
    public ContractSubject asFurtherRun() {
        return new ContractSubject(
                executor, shared, provider, settings, unavailable, faults, MANY_COMMANDS / 10, true, patience);
    }

    /**
     * This subject with another patience.
     *
     * @param value how long the suite waits for what has no bound in the contract
     * @return the subject
     */
    public ContractSubject withPatience(Duration value) {
        return new ContractSubject(
                executor, shared, provider, settings, unavailable, faults, manyCommands, furtherRun, value);
    }
}
