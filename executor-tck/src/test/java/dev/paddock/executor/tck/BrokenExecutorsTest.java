package dev.paddock.executor.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectIteration;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import dev.paddock.executor.tck.context.Processes;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.MethodSelector;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * Tests that each clause is failed by an executor that is deliberately broken, and that the report
 * names the clause and the observation.
 */
@Tag("full")
class BrokenExecutorsTest {
    private static final Pattern TEST = Pattern.compile("(\\w+)(?:\\[(\\d+)])?");

    /** More than there are processors, since some 20 defects are found by a wait that times out. */
    private static final int AT_ONCE = 32;

    private static final Map<Broken, List<TestExecutionResult>> RESULTS = new ConcurrentHashMap<>();

    /** Runs several at once; those that inspect the whole JVM run alone, afterwards. */
    @BeforeAll
    static void runAll() throws Exception {
        List<Callable<Boolean>> runs = new ArrayList<>();
        runs.add(() -> runOneAfterTheOther(of(Broken.Company.ONE_PROPERTY)));
        of(Broken.Company.ANY).forEach(broken -> runs.add(() -> runOneAfterTheOther(List.of(broken))));
        try (ExecutorService threads = Executors.newFixedThreadPool(AT_ONCE)) {
            for (Future<Boolean> run : threads.invokeAll(runs)) {
                run.get();
            }
        }
        runOneAfterTheOther(of(Broken.Company.NONE));
    }

    private static List<Broken> of(Broken.Company company) {
        return Broken.all().stream()
                .filter(broken -> broken.company() == company)
                .toList();
    }

    private static boolean runOneAfterTheOther(List<Broken> some) {
        for (Broken broken : some) {
            if (broken.company() == Broken.Company.ONE_PROPERTY) {
                System.setProperty(BrokenContract.NAME, broken.name());
            }
            RESULTS.put(broken, run(broken));
        }
        return true;
    }

    @AfterAll
    static void clear() {
        System.clearProperty(BrokenContract.NAME);
        RESULTS.clear();
    }

    /** However broken an executor is, the suite ends the processes that it started with it. */
    @Test
    void noProcessIsLeft() {
        Awaitility.await("no process of the broken executors is left")
                .atMost(Duration.ofSeconds(30))
                .untilAsserted(() -> assertThat(Processes.withArgument(ReferenceExecutor.SCRIPTS.toString()).stream()
                                .map(Processes::describe))
                        .as("shells of broken executors that still live")
                        .isEmpty());
    }

    static Stream<Broken> broken() {
        return Broken.all().stream();
    }

    @ParameterizedTest
    @MethodSource
    void broken(Broken broken) {
        List<TestExecutionResult> results = RESULTS.entrySet().stream()
                .filter(entry -> entry.getKey().name().equals(broken.name()))
                .flatMap(entry -> entry.getValue().stream())
                .toList();
        assertThat(results).as("tests that ran").isNotEmpty();
        List<String> messages = results.stream()
                .flatMap(result -> result.getThrowable().stream())
                .map(Throwable::getMessage)
                .toList();
        assertThat(messages).as("reports of failed tests").isNotEmpty();
        Clause clause = Clause.ofMethod(broken.fails()).orElseThrow();
        assertThat(messages)
                .allSatisfy(message -> assertThat(message)
                        .startsWith(clause.words() + " is not kept. Seen: ")
                        .contains(broken.seen()));
    }

    @Test
    void eachClauseIsFailedByBrokenExecutor() {
        Set<Clause> failed = EnumSet.noneOf(Clause.class);
        Broken.all()
                .forEach(broken -> failed.add(Clause.ofMethod(broken.fails()).orElseThrow()));
        assertThat(failed).containsExactlyInAnyOrder(Clause.values());
    }

    @Test
    void namesOfBrokenExecutorsAreUnique() {
        assertThat(Broken.all().stream().map(Broken::name)).doesNotHaveDuplicates();
    }

    private static List<TestExecutionResult> run(Broken broken) {
        LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                .selectors(selector(broken.fails()))
                .configurationParameter(BrokenContract.NAME, broken.name())
                .build();
        List<TestExecutionResult> results = new ArrayList<>();
        LauncherFactory.create().execute(request, new TestExecutionListener() {
            @Override
            public void executionFinished(TestIdentifier test, TestExecutionResult result) {
                // A container fails if a step outside the tests fails, such as the clean-up.
                if (test.isTest() || result.getThrowable().isPresent()) {
                    results.add(result);
                }
            }
        });
        return results;
    }

    private static DiscoverySelector selector(String test) {
        Matcher matcher = TEST.matcher(test);
        assertThat(matcher.matches()).as("'%s' names a test", test).isTrue();
        List<Method> methods = Stream.of(BrokenContract.class.getMethods())
                .filter(method -> method.getName().equals(matcher.group(1)))
                .toList();
        assertThat(methods).as("tests called %s", matcher.group(1)).hasSize(1);
        MethodSelector selector = selectMethod(BrokenContract.class, methods.get(0));
        return matcher.group(2) == null ? selector : selectIteration(selector, Integer.parseInt(matcher.group(2)) - 1);
    }
}
