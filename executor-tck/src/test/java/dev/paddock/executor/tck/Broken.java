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
 * An executor that is broken on purpose.
 *
 * @param name what is wrong with it
 * @param fails the test that must find out, or one invocation of it, counted from 1 as in reports
 * @param seen what the report must say
 * @param subject makes it
 */
record Broken(String name, String fails, String seen, Function<ContractEnvironment, ContractSubject> subject) {

    /** Shorter than the suite's own, since much of what is broken is found by waiting in vain. */
    static final Duration PATIENCE = Duration.ofSeconds(4);

    static List<Broken> all() {
        return Stream.of(
                        BrokenCommands.all(),
                        BrokenStreams.all(),
                        BrokenTrees.all(),
                        BrokenLives.all(),
                        BrokenPlaces.all(),
                        BrokenClaims.all())
                .flatMap(List::stream)
                .toList();
    }

    /** Whether the test looks at all of this JVM, or at a system property, and so runs alone. */
    boolean alone() {
        return Stream.of("C3_aCanary", "C12_", "C13_many", "C16_").anyMatch(fails::startsWith);
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

    /** An executor whose processes are the ones at fault. */
    static Broken process(String name, String fails, String seen, MakesProcess make) {
        return executor(name, fails, seen, () -> new ReferenceExecutor() {
            @Override
            ReferenceProcess process(Process process, SpawnOptions options, String marker) {
                return make.make(process, options, marker);
            }
        });
    }

    static ContractSubject plain(ReferenceExecutor executor, ContractEnvironment environment) {
        return ContractSubject.of(executor, PathMapping.same(environment.sharedDirectory()))
                .withPatience(PATIENCE);
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
