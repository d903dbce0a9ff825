package dev.paddock.executor.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.tck.conformance.Expectation;
import dev.paddock.executor.tck.conformance.Inspection;
import dev.paddock.executor.tck.conformance.Inspection.Finding;
import dev.paddock.executor.tck.conformance.Observation;
import dev.paddock.executor.tck.conformance.Operation;
import dev.paddock.executor.tck.conformance.PolicyCase;
import dev.paddock.executor.tck.conformance.PolicyCase.Prepared;
import dev.paddock.executor.tck.conformance.PolicyCases;
import dev.paddock.executor.tck.conformance.PolicyFixture;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests the cases of the conformance matrix: operations that they expect to be denied are possible
 * where nothing denies them.
 */
@Tag("full")
class PolicyCasesTest {
    /**
     * A variable is in the environment or not; and a busy machine leaves a command as little
     * processor time as a limit does.
     */
    private static final Set<Operation> NOT_TRIED = EnumSet.of(Operation.FIND_VARIABLE, Operation.USE_CPU);

    static Stream<PolicyCase> cases() {
        return PolicyCases.all().stream();
    }

    @Test
    void namesOfCasesAreUnique() {
        assertThat(cases().map(PolicyCase::name)).doesNotHaveDuplicates();
    }

    @Test
    void furtherRunHasSeventeenOfThem() {
        assertThat(PolicyCases.ofEachMechanism()).hasSize(17);
    }

    /** The positive control of each denial, on an executor that enforces nothing. */
    @ParameterizedTest
    @MethodSource("cases")
    void everyOperationSucceedsWithoutEnforcement(PolicyCase policyCase) throws Exception {
        try (PolicyFixture fixture = PolicyFixture.create();
                ReferenceExecutor executor = new ReferenceExecutor()) {
            Prepared prepared = policyCase.preparation().on(fixture);
            String cwd = prepared.policy().worktree().hostPath().toString();
            Inspection inspection = new Inspection(executor, cwd, fixture);
            List<Observation> possible = prepared.observations().stream()
                    .filter(PolicyCasesTest::isAtItsOwnPath)
                    .filter(observation -> !NOT_TRIED.contains(observation.operation()))
                    .toList();
            List<Observation> impossible = new ArrayList<>();
            for (List<Observation> together : Inspection.byCommand(possible)) {
                List<Finding> findings = inspection.of(together);
                for (int i = 0; i < findings.size(); i++) {
                    if (findings.get(i) instanceof Finding.Held
                            && together.get(i).expectation() != Expectation.ALLOWED) {
                        impossible.add(together.get(i));
                    }
                }
            }
            assertThat(impossible).isEmpty();
        }
    }

    /** Returns whether the target has the same path on both sides: this executor maps no paths. */
    private static boolean isAtItsOwnPath(Observation observation) {
        return observation.host().isEmpty()
                || observation.host().get().toString().equals(observation.target());
    }

    /**
     * Every denied operation is also allowed once on the same side, so that its failure is not due
     * to the attempt itself.
     */
    @ParameterizedTest
    @MethodSource("cases")
    void eachRefusedAttemptAlsoSucceedsWhereItIsAllowed(PolicyCase policyCase) throws IOException {
        try (PolicyFixture fixture = PolicyFixture.create()) {
            Set<Operation> allowed = EnumSet.noneOf(Operation.class);
            Set<Operation> not = EnumSet.noneOf(Operation.class);
            for (Observation observation : policyCase.preparation().on(fixture).observations()) {
                (observation.expectation() == Expectation.ALLOWED ? allowed : not).add(observation.operation());
            }
            // Connections are tried from the host, and links may not cross mounts.
            not.removeIf(operation -> operation.guarantee().isPresent()
                    && (operation.connects() || operation == Operation.SEND_UDP || operation == Operation.LINK));
            assertThat(allowed).containsAll(not);
        }
    }

    @Test
    void oddNameStaysOneWord() {
        PathMapping odd = PathMapping.same(Path.of("/it's"));
        assertThat(Operation.READ.command(odd.commandPath())).isEqualTo("T='/it'\\''s'; cat -- \"$T\"");
    }
}
