package dev.paddock.executor.tck;

import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.tck.subject.ContractEnvironment;
import dev.paddock.executor.tck.subject.ContractSubject;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * An executor that is deliberately broken.
 *
 * @param name describes the defect
 * @param fails the test that must detect it, or one invocation of it, counted from 1 as in reports
 * @param seen the text that the report must contain
 * @param subject makes the executor
 */
record Broken(String name, String fails, String seen, Function<ContractEnvironment, ContractSubject> subject) {

    /**
     * The suite's own: a test that waits less would report that a command has not started in time,
     * which no executor promises, and not the defect.
     */
    static final Duration PATIENCE = Duration.ofSeconds(30);

    /** The delay of an executor whose defect is found because a test's patience ends. */
    static final Duration LONGER = PATIENCE.plusSeconds(10);

    /** For tests that run alone, one after the other. */
    static final Duration PATIENCE_ALONE = Duration.ofSeconds(10);

    static List<Broken> all() {
        return Stream.of(
                        BrokenCommands.all(),
                        BrokenStreams.all(),
                        BrokenTrees.all(),
                        BrokenLives.all(),
                        BrokenAvailability.all(),
                        BrokenSettlements.all(),
                        BrokenRuns.all(),
                        BrokenTerminals.all(),
                        BrokenClaims.all(),
                        BrokenNetworks.all())
                .flatMap(List::stream)
                .toList();
    }

    /** The other tests that may run at the same time as one. */
    enum Company {
        ANY,
        /** None that starts a JVM, which learns the executor's name by a system property. */
        ONE_PROPERTY,
        /** None: the test inspects the whole JVM, or has to observe or signal a process soon. */
        NONE
    }

    Company company() {
        if (name.equals(BrokenTrees.IMPATIENT)
                || Stream.of("C10_programHas", "C13_many", "C16_").anyMatch(fails::startsWith)) {
            return Company.NONE;
        }
        return Stream.of("C3_canary", "C12_").anyMatch(fails::startsWith) ? Company.ONE_PROPERTY : Company.ANY;
    }

    static Broken named(String name) {
        return all().stream()
                .filter(broken -> broken.name.equals(name))
                .findFirst()
                .orElseThrow();
    }

    static Broken executor(String name, String fails, String seen, Supplier<? extends ReferenceExecutor> executor) {
        return new Broken(name, fails, seen, environment -> plain(executor.get(), environment));
    }

    /** Returns an executor whose processes have the defect. */
    static Broken process(String name, String fails, String seen, MakesProcess make) {
        return executor(name, fails, seen, () -> new ReferenceExecutor() {
            @Override
            ReferenceProcess process(Process process, SpawnOptions options, String marker) {
                return make.make(process, options, marker);
            }
        });
    }

    static ContractSubject plain(ReferenceExecutor executor, ContractEnvironment environment) {
        return ContractSubject.of(executor, PathMapping.same(environment.sharedDirectory()));
    }

    /** The constructor of a broken process. */
    @FunctionalInterface
    interface MakesProcess {
        ReferenceProcess make(Process process, SpawnOptions options, String marker);
    }

    @Override
    public String toString() {
        return name + " fails " + fails;
    }
}
