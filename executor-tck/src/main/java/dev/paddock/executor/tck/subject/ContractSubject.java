package dev.paddock.executor.tck.subject;

import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.ExecutorProvider;
import dev.paddock.executor.policy.PathMapping;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Describes an executor under test to the suite. Immutable; made by {@link #of} and changed by the
 * {@code with} methods.
 *
 * @since 0.1
 */
public final class ContractSubject {

    /** The number of commands that C13 requires. */
    static final int MANY_COMMANDS = 1000;

    /**
     * The system property with the default of {@link #patience}, in seconds: on a machine that
     * does other work concurrently, events take longer.
     */
    static final String PATIENCE = "paddock.contract.patience";

    private static final long DEFAULT_TRANSPORT_BYTES = 8L << 20;

    private final CommandExecutor given;
    private final CommandExecutor executor;
    private final PathMapping shared;
    private final Optional<FarSide> farSide;
    private final Optional<ExecutorProvider> provider;
    private final Map<String, String> settings;
    private final Optional<Supplier<CommandExecutor>> unavailable;
    private final List<SandboxFault> faults;
    private final int manyCommands;
    private final boolean furtherRun;
    private final Duration patience;
    private final long transportBytes;
    private final boolean endsAtOnce;
    private final Consumer<String> onStarted;
    private final BiConsumer<String, String> onSkipped;

    private ContractSubject(Builder builder) {
        given = builder.executor;
        executor = new BoundedCalls(builder.executor, builder.patience);
        shared = builder.shared;
        farSide = builder.farSide;
        provider = builder.provider;
        settings = builder.settings;
        unavailable = builder.unavailable;
        faults = builder.faults;
        manyCommands = builder.manyCommands;
        furtherRun = builder.furtherRun;
        patience = builder.patience;
        transportBytes = builder.transportBytes;
        endsAtOnce = builder.endsAtOnce;
        onStarted = builder.onStarted;
        onSkipped = builder.onSkipped;
    }

    /**
     * Makes a subject with the defaults.
     *
     * @param executor a new executor; the suite disposes of it
     * @param shared the shared directory's host path and command path
     * @return the subject
     */
    public static ContractSubject of(CommandExecutor executor, PathMapping shared) {
        return new ContractSubject(new Builder(executor, shared));
    }

    /**
     * Returns the executor under test, whose calls fail if they do not return within the {@linkplain #patience
     * patience}, or within 10 seconds if they dispose of it.
     *
     * @return a new executor; the suite disposes of it
     */
    public CommandExecutor executor() {
        return executor;
    }

    /**
     * Returns the {@linkplain ContractEnvironment#sharedDirectory() shared directory} and the path
     * at which the executor's commands see it.
     *
     * @return the directory's host path and command path
     */
    public PathMapping shared() {
        return shared;
    }

    /**
     * Returns the provider of executors like this one, with which the suite tests policies: that
     * unclaimed guarantees are refused and limits are enforced.
     *
     * @return the provider; without it those tests are skipped
     */
    public Optional<ExecutorProvider> provider() {
        return provider;
    }

    /**
     * Returns the settings for the provider.
     *
     * @return an unmodifiable map
     */
    public Map<String, String> settings() {
        return settings;
    }

    /**
     * Returns the factory of an executor whose sandbox is unavailable (C14).
     *
     * @return the factory; without it that test is skipped
     */
    public Optional<Supplier<CommandExecutor>> unavailable() {
        return unavailable;
    }

    /**
     * Returns ways in which this executor's sandbox can be lost (C15).
     *
     * @return an unmodifiable list; empty for executors that cannot lose their sandbox
     */
    public List<SandboxFault> faults() {
        return faults;
    }

    /**
     * Returns how many commands the endurance test of C13 runs.
     *
     * @return the number; 1,000 by default, as the clause requires
     */
    public int manyCommands() {
        return manyCommands;
    }

    /**
     * Returns whether tests of race conditions make only a fifth of their attempts.
     *
     * @return false by default
     */
    public boolean isFurtherRun() {
        return furtherRun;
    }

    /**
     * Returns how long the suite waits for events without a bound in the contract: the cost of a
     * hanging command.
     *
     * @return the time; 5 s by default, or the seconds that the system property {@code
     *     paddock.contract.patience} has
     */
    public Duration patience() {
        return patience;
    }

    /**
     * Returns how much unread output of a command may be buffered (C6): in the
     * executor and in the systems between it and the command.
     *
     * @return bytes; 8 MiB by default
     */
    public long transportBytes() {
        return transportBytes;
    }

    /**
     * Returns the suite's access to the files where commands run.
     *
     * @return uses the {@linkplain #shared() shared directory}, unless the subject sets another
     */
    public FarSide farSide() {
        return farSide.orElseGet(() -> new SharedDirectory(shared));
    }

    /**
     * Returns whether the host sees the {@linkplain #shared() shared directory} as commands do: true
     * unless the subject sets a far side.
     *
     * @return true by default
     */
    public boolean sharesFiles() {
        return farSide.isEmpty();
    }

    /**
     * Returns this subject for a sandbox that shares no directory and no kernel with the host: the suite
     * reads and writes files there, and creates named pipes, below the command path of {@link #shared},
     * whose host path does not matter. Tests of what the host sees are skipped, except those of the
     * protection of a worktree, if the executor {@linkplain CommandExecutor#worktree() names one}.
     *
     * @param value the suite's access to the files there
     * @return the subject
     */
    public ContractSubject farSide(FarSide value) {
        return with(builder -> builder.farSide = Optional.of(value));
    }

    /**
     * Returns this subject with the provider of executors like it.
     *
     * @param value the provider
     * @param providerSettings the settings that make executors like this one
     * @return the subject
     */
    public ContractSubject withProvider(ExecutorProvider value, Map<String, String> providerSettings) {
        return with(builder -> {
            builder.provider = Optional.of(value);
            builder.settings = Map.copyOf(providerSettings);
        });
    }

    /**
     * Returns this subject with a factory of an executor whose sandbox is unavailable.
     *
     * @param value makes it; both the factory and the executor's {@code spawn} may throw
     * @return the subject
     */
    public ContractSubject withUnavailable(Supplier<CommandExecutor> value) {
        return with(builder -> builder.unavailable = Optional.of(value));
    }

    /**
     * Returns this subject with ways to lose its sandbox.
     *
     * @param value the faults, which affect only this subject's executor
     * @return the subject
     */
    public ContractSubject withFaults(SandboxFault... value) {
        return with(builder -> builder.faults = List.of(value));
    }

    /**
     * Returns this subject with another number of commands in the endurance test.
     *
     * @param value the number
     * @return the subject
     */
    public ContractSubject withManyCommands(int value) {
        return with(builder -> builder.manyCommands = value);
    }

    /**
     * Returns this subject for a further run of a suite that runs in full elsewhere, in another
     * image or as another user: 100 commands in the endurance test, and a fifth of the attempts in
     * tests of race conditions.
     *
     * @return the subject
     */
    public ContractSubject asFurtherRun() {
        return with(builder -> {
            builder.manyCommands = MANY_COMMANDS / 10;
            builder.furtherRun = true;
        });
    }

    /**
     * Returns this subject with another time limit for waiting.
     *
     * @param value how long the suite waits for events for which the contract sets no bound
     * @return the subject
     */
    public ContractSubject withPatience(Duration value) {
        return with(builder -> builder.patience = value);
    }

    /**
     * Returns this subject for an executor with systems in between that buffer output
     * themselves, such as the connections of a cluster's servers.
     *
     * @param value a bound for the buffered output, in bytes
     * @return the subject
     */
    public ContractSubject withTransportBytes(long value) {
        return with(builder -> builder.transportBytes = value);
    }

    /**
     * Returns whether leftover processes of a command are killed with its sandbox, without SIGTERM.
     *
     * @return false by default
     */
    public boolean endsAtOnce() {
        return endsAtOnce;
    }

    /**
     * Returns this subject for a sandbox that ends with a command's main process.
     *
     * @return the subject
     */
    public ContractSubject endingAtOnce() {
        return with(builder -> builder.endsAtOnce = true);
    }

    /**
     * Returns the listener for tests that begin with this subject.
     *
     * @return takes a test's name, which begins with its clause; nobody by default
     */
    public Consumer<String> onStarted() {
        return onStarted;
    }

    /**
     * Returns this subject with a listener for tests that begin with it, so that the progress of the suite,
     * which takes minutes, is visible: {@code System.out::println} prints it.
     *
     * @param value takes a test's name, which begins with its clause; called on the threads of tests
     * @return the subject
     */
    public ContractSubject withOnStarted(Consumer<String> value) {
        return with(builder -> builder.onStarted = value);
    }

    /**
     * Returns the listener for tests skipped for this subject.
     *
     * @return takes a test's name, which begins with its clause, and the reason; nobody by default
     */
    public BiConsumer<String, String> onSkipped() {
        return onSkipped;
    }

    /**
     * Returns this subject with a listener for tests skipped for it: for a
     * class that requires certain tests to run. The suite also publishes each as an entry
     * of JUnit's report.
     *
     * @param value takes a test's name, which begins with its clause, and the reason; called on the
     *     threads of tests
     * @return the subject
     */
    public ContractSubject withOnSkipped(BiConsumer<String, String> value) {
        return with(builder -> builder.onSkipped = value);
    }

    private ContractSubject with(Consumer<Builder> change) {
        Builder builder = new Builder(this);
        change.accept(builder);
        return new ContractSubject(builder);
    }

    /** Builds a subject. */
    private static final class Builder {
        private final CommandExecutor executor;
        private final PathMapping shared;
        private Optional<FarSide> farSide = Optional.empty();
        private Optional<ExecutorProvider> provider = Optional.empty();
        private Map<String, String> settings = Map.of();
        private Optional<Supplier<CommandExecutor>> unavailable = Optional.empty();
        private List<SandboxFault> faults = List.of();
        private int manyCommands = MANY_COMMANDS;
        private boolean furtherRun;
        private Duration patience = Duration.ofSeconds(Long.getLong(PATIENCE, 5));
        private Consumer<String> onStarted = test -> {};
        private BiConsumer<String, String> onSkipped = (test, reason) -> {};
        private long transportBytes = DEFAULT_TRANSPORT_BYTES;
        private boolean endsAtOnce;

        Builder(CommandExecutor executor, PathMapping shared) {
            this.executor = executor;
            this.shared = shared;
        }

        Builder(ContractSubject subject) {
            this(subject.given, subject.shared);
            farSide = subject.farSide;
            provider = subject.provider;
            settings = subject.settings;
            unavailable = subject.unavailable;
            faults = subject.faults;
            manyCommands = subject.manyCommands;
            furtherRun = subject.furtherRun;
            patience = subject.patience;
            transportBytes = subject.transportBytes;
            endsAtOnce = subject.endsAtOnce;
            onStarted = subject.onStarted;
            onSkipped = subject.onSkipped;
        }
    }
}
