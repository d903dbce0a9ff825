package dev.paddock.executor.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import dev.paddock.executor.CleanupReport;
import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.Signal;
import dev.paddock.executor.SpawnOptions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * Tests that an executor which settles at the wrong time, or against the wrong state, fails the
 * worktree's suite, and that one without that defect passes.
 */
@Tag("full")
class BrokenWorktreesTest {
    private static final String BELOW_A_RESTLESS_PARENT = "nothingPlantedBelowRestlessParentStays";

    private static final List<String> ORDER = Stream.of("disposal", "abort", "kill", "exit")
            .map(end -> end + "LeavesNothingOfProcessThatPlantsUntilItDies")
            .toList();

    /** A defect, with the tests that detect it. */
    enum Defect {
        SETTLES_BEFORE_THE_KILL(SettlesBeforeTheKill::new, ORDER),
        REPORTS_BEFORE_IT_SETTLES(SettlesLate::new, ORDER.subList(1, ORDER.size())),
        TAKES_A_BASELINE_BESIDE_LIVE_COMMANDS(ReferenceProtection::new, List.of(BELOW_A_RESTLESS_PARENT));

        @SuppressWarnings("ImmutableEnumChecker") // the constructors capture nothing
        private final ReferenceProvider.Protecting executor;

        @SuppressWarnings("ImmutableEnumChecker") // a copy
        private final List<String> failed;

        Defect(ReferenceProvider.Protecting executor, List<String> failed) {
            this.executor = executor;
            this.failed = List.copyOf(failed);
        }
    }

    @ParameterizedTest
    @EnumSource
    void defectIsDetected(Defect defect) {
        for (String test : defect.failed) {
            assertThat(failuresOfSeveral(defect.executor, test))
                    .as(test)
                    .isNotEmpty()
                    .allSatisfy(failure -> assertThat(failure).containsAnyOf("planted", ".git/hooks"));
        }
    }

    @Test
    void executorWithoutDefectPasses() {
        List<String> tests = new ArrayList<>(ORDER);
        tests.add(BELOW_A_RESTLESS_PARENT);
        for (String test : tests) {
            assertThat(failures(OneBaseline::new, test)).as(test).isEmpty();
        }
    }

    /** Runs a test until it fails: what plants beside a settlement may miss it. */
    private static List<String> failuresOfSeveral(ReferenceProvider.Protecting executor, String test) {
        List<String> failures = failures(executor, test);
        for (int again = 0; failures.isEmpty() && again < 9; again++) {
            failures = failures(executor, test);
        }
        return failures;
    }

    /** Runs a test, and returns the messages of its failures. */
    private static List<String> failures(ReferenceProvider.Protecting executor, String test) {
        BrokenWorktree.use(executor);
        List<String> failures = new ArrayList<>();
        List<String> run = new ArrayList<>();
        LauncherFactory.create()
                .execute(
                        LauncherDiscoveryRequestBuilder.request()
                                .selectors(selectMethod(BrokenWorktree.class, test))
                                .build(),
                        new TestExecutionListener() {
                            @Override
                            public void executionFinished(TestIdentifier identifier, TestExecutionResult result) {
                                if (identifier.isTest()) {
                                    run.add(identifier.getDisplayName());
                                }
                                result.getThrowable().ifPresent(fault -> failures.add(String.valueOf(fault)));
                            }
                        });
        assertThat(run).as("tests called %s", test).hasSize(1);
        return failures;
    }

    /**
     * Takes the state before the first of the commands that are live, and settles after the last:
     * nothing then moves beside the search.
     */
    private static class OneBaseline extends ReferenceProtection {
        private int live;

        OneBaseline(Path root, Map<String, String> variables) {
            super(root, variables);
        }

        @Override
        public synchronized ProcessLike spawn(String command, SpawnOptions options) {
            live++;
            return super.spawn(command, options);
        }

        @Override
        boolean takesBaseline() {
            return live == 1;
        }

        @Override
        synchronized List<String> settle() {
            live--;
            return live == 0 ? super.settle() : List.of();
        }
    }

    private static final class SettlesBeforeTheKill extends ReferenceProtection {
        SettlesBeforeTheKill(Path root, Map<String, String> variables) {
            super(root, variables);
        }

        @Override
        ReferenceProcess process(Process process, SpawnOptions options, String marker) {
            return new ReferenceProcess(process, options, marker) {
                @Override
                CleanupReport endLeftovers() {
                    List<String> unused = SettlesBeforeTheKill.this.settle();
                    return super.endLeftovers();
                }

                @Override
                List<String> settle() {
                    return List.of();
                }

                // Leaves the others for later.
                @Override
                void send(Signal signal, List<ProcessHandle> targets) {
                    super.send(
                            signal,
                            process().isAlive()
                                    ? targets.stream().filter(this::isMain).toList()
                                    : targets);
                }

                private boolean isMain(ProcessHandle target) {
                    return target.pid() == process().pid();
                }
            };
        }
    }

    /** Settles only when it is disposed of. */
    private static final class SettlesLate extends OneBaseline {
        private final AtomicInteger late = new AtomicInteger();

        SettlesLate(Path root, Map<String, String> variables) {
            super(root, variables);
        }

        @Override
        synchronized List<String> settle() {
            late.incrementAndGet();
            return List.of();
        }

        @Override
        public void dispose() {
            while (late.getAndDecrement() > 0) {
                List<String> unused = super.settle();
            }
            super.dispose();
        }
    }
}
