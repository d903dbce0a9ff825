package dev.paddock.executor.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import dev.paddock.executor.CleanupReport;
import dev.paddock.executor.CommandResult;
import dev.paddock.executor.ExitStatus;
import dev.paddock.executor.ForwardingProcess;
import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.RunOptions;
import dev.paddock.executor.Signal;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.tck.subject.ContractEnvironment;
import dev.paddock.executor.tck.subject.ContractSubject;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** Tests that a call of an executor that hangs costs the suite's patience, not a test's time limit. */
class HangTest {
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    /** The method that hangs once; the suite makes the executor by a constructor without parameters. */
    private static volatile String hanging = "";

    @AfterEach
    void nothingHangs() {
        hanging = "";
    }

    private static void hangIn(String method) {
        if (hanging.equals(method)) {
            hanging = ""; // the suite's cleanup calls some methods, too
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException givenUp) {
                throw new IllegalStateException("the suite has given up", givenUp);
            }
        }
    }

    static final class Subject extends CommandExecutorContract {
        @Override
        protected ContractSubject subject(ContractEnvironment environment) {
            return ContractSubject.of(new Hanging(), PathMapping.same(environment.sharedDirectory()))
                    .withPatience(PATIENCE);
        }
    }

    private static final class Hanging extends ReferenceExecutor {
        @Override
        public ProcessLike spawn(String command, SpawnOptions options) {
            hangIn("spawn");
            return new HangingProcess(super.spawn(command, options));
        }

        @Override
        public CommandResult run(String command, RunOptions options) throws InterruptedException {
            hangIn("run");
            return super.run(command, options);
        }

        @Override
        public void dispose() {
            hangIn("dispose");
            super.dispose();
        }
    }

    private static final class HangingProcess extends ForwardingProcess {
        HangingProcess(ProcessLike process) {
            super(process);
        }

        @Override
        public boolean kill(Signal signal) {
            hangIn("kill");
            return super.kill(signal);
        }

        @Override
        public CompletionStage<ExitStatus> onExit() {
            hangIn("onExit");
            return super.onExit();
        }

        @Override
        public CompletionStage<CleanupReport> onClosed() {
            hangIn("onClosed");
            return super.onClosed();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "spawn, C9_falseAfterExit",
        "kill, C9_falseAfterExit",
        "onExit, C9_falseAfterExit",
        "onClosed, C11_whatHasEndedKeepsItsResult"
    })
    void hangFailsTestThatMadeCall(String method, String test) {
        assertThat(failures(test)).as("control: nothing hangs").isEmpty();
        hanging = method;
        assertThat(failures(test)).isNotEmpty().first().asString().contains(method + " did not return within 1000 ms");
    }

    @Test
    @Tag("full")
    void hangOfRunOrOfDisposalIsReportedAfterTimeThatItMayTake() {
        hanging = "run";
        assertThat(failures("C19_callbackThatThrowsKeepsExitCode"))
                .isNotEmpty()
                .first()
                .asString()
                .contains("run did not return within ");
        hanging = "dispose";
        assertThat(failures("C11_idempotentAndSameAsClose"))
                .isNotEmpty()
                .first()
                .asString()
                .contains("dispose did not return within 10000 ms");
    }

    private static List<String> failures(String test) {
        Method method = Stream.of(Subject.class.getMethods())
                .filter(one -> one.getName().equals(test))
                .findFirst()
                .orElseThrow();
        List<String> failures = new ArrayList<>();
        LauncherFactory.create()
                .execute(
                        LauncherDiscoveryRequestBuilder.request()
                                .selectors(selectMethod(Subject.class, method))
                                .build(),
                        new TestExecutionListener() {
                            @Override
                            public void executionFinished(TestIdentifier one, TestExecutionResult result) {
                                result.getThrowable()
                                        .ifPresent(fault -> failures.add(String.valueOf(fault.getMessage())));
                            }
                        });
        return failures;
    }
}
