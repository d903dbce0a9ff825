package dev.paddock.executor.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.tck.subject.ContractEnvironment;
import dev.paddock.executor.tck.subject.ContractSubject;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** Tests what an integrator reads of a run: the names of tests, what was skipped, and how long a hang takes. */
class ReportTest {
    private static final String PATIENCE = "paddock.contract.patience";
    private static final List<String> STARTED = new CopyOnWriteArrayList<>();
    private static final List<String> SKIPPED = new CopyOnWriteArrayList<>();

    /** An executor with no provider, so that tests of policies are skipped. */
    static final class Subject extends CommandExecutorContract {
        @Override
        protected ContractSubject subject(ContractEnvironment environment) {
            return ContractSubject.of(new ReferenceExecutor(), PathMapping.same(environment.sharedDirectory()))
                    .withOnStarted(STARTED::add)
                    .withOnSkipped((test, reason) -> SKIPPED.add(test + ": " + reason));
        }
    }

    @Test
    void testsWithArgumentsKeepTheirClause() {
        assertThat(run("C7_exitCodes"))
                .hasSize(11)
                .allSatisfy(name -> assertThat(name).startsWith("C7_exitCodes ["))
                .contains("C7_exitCodes [4] code = 42");
        assertThat(run("C7_deathBySignal")).contains("C7_deathBySignal [1] name = \"KILL\"");
    }

    @Test
    void listenerReceivesEachTestThatBegins() {
        STARTED.clear();
        assertThat(run("C7_deathBySignal")).isNotEmpty().isEqualTo(STARTED);
    }

    @Test
    void listenerReceivesSkippedTestsWithReasons() {
        SKIPPED.clear();
        assertThat(run("G_NETWORK_ALLOWED_HOSTS_tlsIsEndToEnd")).hasSize(1);
        assertThat(SKIPPED).singleElement().asString().matches("G_NETWORK_ALLOWED_HOSTS_tlsIsEndToEnd: .*provider.*");
    }

    @Test
    void byDefaultCommandThatHangsCostsFiveSeconds() {
        String set = System.clearProperty(PATIENCE);
        try {
            assertThat(patience()).isEqualTo(Duration.ofSeconds(5));
            System.setProperty(PATIENCE, "40");
            assertThat(patience()).isEqualTo(Duration.ofSeconds(40));
        } finally {
            if (set == null) {
                System.clearProperty(PATIENCE);
            } else {
                System.setProperty(PATIENCE, set);
            }
        }
    }

    private static Duration patience() {
        return ContractSubject.of(new ReferenceExecutor(), PathMapping.same(Path.of("/")))
                .patience();
    }

    private static List<String> run(String test) {
        Method method = Stream.of(Subject.class.getMethods())
                .filter(one -> one.getName().equals(test))
                .findFirst()
                .orElseThrow();
        List<String> names = new ArrayList<>();
        LauncherFactory.create()
                .execute(
                        LauncherDiscoveryRequestBuilder.request()
                                .selectors(selectMethod(Subject.class, method))
                                .build(),
                        new TestExecutionListener() {
                            @Override
                            public void executionFinished(TestIdentifier one, TestExecutionResult result) {
                                if (one.isTest()) {
                                    names.add(one.getDisplayName());
                                }
                            }
                        });
        return names;
    }
}
