package dev.paddock.executor.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectIteration;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import dev.paddock.executor.Availability;
import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.ExecutorProvider;
import dev.paddock.executor.UnsupportedPolicyException;
import dev.paddock.executor.policy.SandboxPolicy;
import dev.paddock.executor.tck.conformance.ConformanceReport;
import dev.paddock.executor.tck.conformance.PolicyCase;
import dev.paddock.executor.tck.conformance.PolicyCases;
import dev.paddock.executor.tck.conformance.PolicyFixture;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * Tests that the matrix rejects a backend that accepts a policy and does not enforce it, and one
 * that refuses without a reason.
 */
@Tag("full")
class BrokenConformanceTest {
    private static final List<PolicyCase> CASES = PolicyCases.all();

    /** A nested contract that is expected to fail; not run as a test itself. */
    static class TakesAnything extends ConformanceContract {
        @Override
        protected ExecutorProvider provider() {
            return new ReferenceProvider(true);
        }
    }

    /** Refuses parts that the policy does not request. */
    static class RefusesWithoutReason extends ConformanceContract {
        @Override
        protected ExecutorProvider provider() {
            return new ExecutorProvider() {
                @Override
                public String name() {
                    return "reference";
                }

                @Override
                public Availability probe() {
                    return new Availability.Usable("reference", Set.of());
                }

                @Override
                public CommandExecutor create(SandboxPolicy policy, Map<String, String> settings) {
                    throw new UnsupportedPolicyException(name(), List.of("anything"));
                }
            };
        }
    }

    /** Of each mechanism; {@link PolicyCasesTest} shows for every case that nothing holds by itself. */
    @Test
    void C14_policyThatIsTakenAndNotKeptFails() {
        Set<String> names =
                PolicyCases.ofEachMechanism().stream().map(PolicyCase::name).collect(Collectors.toSet());
        int[] some = IntStream.range(0, CASES.size())
                .filter(number -> names.contains(CASES.get(number).name()))
                .toArray();
        List<TestExecutionResult> results = run(selectIteration(
                selectMethod(TakesAnything.class, "C14_policyIsEnforcedOrRefused", PolicyCase.class.getName()), some));
        assertThat(results).hasSize(some.length);
        for (int i = 0; i < some.length; i++) {
            PolicyCase policyCase = CASES.get(some[i]);
            Optional<Throwable> failure = results.get(i).getThrowable();
            if (refusedByTheHonest(policyCase)) {
                assertThat(failure)
                        .as("'%s'", policyCase)
                        .hasValueSatisfying(seen ->
                                assertThat(seen).hasMessageContaining("expectations of the policy that are not met"));
            } else {
                assertThat(failure)
                        .as("'%s', which asks for nothing", policyCase)
                        .isEmpty();
            }
        }
    }

    private static boolean refusedByTheHonest(PolicyCase policyCase) {
        try (PolicyFixture fixture = PolicyFixture.create()) {
            SandboxPolicy policy = policyCase.preparation().on(fixture).policy();
            new ReferenceProvider(false).create(policy, Map.of()).dispose();
            return false;
        } catch (UnsupportedPolicyException refused) {
            return true;
        } catch (IOException fault) {
            throw new UncheckedIOException(fault);
        }
    }

    @Test
    void C14_refusalThatNamesNothingOfPolicyFails() {
        assertThat(run(selectClass(RefusesWithoutReason.class)).stream().limit(CASES.size()))
                .allSatisfy(result -> assertThat(result.getThrowable())
                        .hasValueSatisfying(seen -> assertThat(seen)
                                .hasMessageContaining("one of the policy's parts is named in 'anything'")));
    }

    private static List<TestExecutionResult> run(DiscoverySelector selector) {
        List<TestExecutionResult> results = new ArrayList<>();
        LauncherDiscoveryRequest request =
                LauncherDiscoveryRequestBuilder.request().selectors(selector).build();
        LauncherFactory.create().execute(request, new TestExecutionListener() {
            @Override
            public void executionFinished(TestIdentifier test, TestExecutionResult result) {
                if (test.isTest()) {
                    results.add(result);
                }
            }
        });
        return results;
    }

    @Test
    void documentThatDiffersIsReported(@TempDir Path directory) throws IOException {
        ConformanceReport column = new ConformanceReport("mine");
        for (PolicyCase policyCase : CASES) {
            if (policyCase.byMachine()) {
                column.refused(policyCase, List.of("a limit"));
            } else {
                column.enforced(policyCase, ConformanceReport.ENFORCED);
            }
        }
        Path document = directory.resolve("matrix.md");
        String rows = CASES.stream()
                .map(policyCase -> "| " + policyCase + " | refused | enforced" + (policyCase.byMachine() ? "*" : ""))
                .collect(Collectors.joining(" |\n"));
        Files.writeString(document, "# Title\n\n| Policy | other | mine |\n|---|---|---|\n" + rows + " |\n");
        assertThat(column.differencesFrom(document)).isEmpty();

        column.enforced(CASES.getFirst(), "enforced but for WRITE_CONFINED");
        column.refused(CASES.get(1), List.of("a worktree"));
        assertThat(column.differencesFrom(document))
                .containsExactly(
                        CASES.getFirst() + ": enforced but for WRITE_CONFINED; the document says enforced",
                        CASES.get(1) + ": refused; the document says enforced");

        Files.writeString(document, "| Policy | mine |\n|---|---|\n| made up | enforced |\n");
        assertThat(column.differencesFrom(document))
                .hasSize(CASES.size() + 1)
                .last()
                .isEqualTo("made up: there is no such case");
    }
}
