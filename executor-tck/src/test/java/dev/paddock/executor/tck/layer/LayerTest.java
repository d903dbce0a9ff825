package dev.paddock.executor.tck.layer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.executor.tck.CommandExecutorContract;
import dev.paddock.executor.tck.EscapeContract;
import dev.paddock.executor.tck.worktree.WorktreeContract;
import java.lang.reflect.Method;
import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.platform.commons.support.AnnotationSupport;
import org.junit.platform.commons.support.HierarchyTraversalMode;
import org.junit.platform.commons.support.ReflectionSupport;

/**
 * Tests that the table of layers proves every test of the contract somewhere, and names no test that does not exist.
 */
class LayerTest {
    private static final Set<String> CONTRACT = tests(CommandExecutorContract.class);
    private static final Set<String> ESCAPES = tests(EscapeContract.class);
    private static final Set<String> WORKTREE = tests(WorktreeContract.class);

    /** The rows whose class runs a clause whole: what is neither here nor there is proven by no short run. */
    private static final Set<Layer> WHOLE = EnumSet.of(Layer.BUBBLEWRAP, Layer.CHANNELS);

    /** The tests that remote executors leave to the shells and to the guard that they share. */
    private static final String OF_CHANNELS =
            "C(1|2|3|4|5|7|9|10|13|16|19)_.*|G_PROTECTED_PATHS_(closes|nothingPlanted).*";

    /** Rules and faults of a network of allowed hosts, which one class decides for every sandbox. */
    private static final String OF_ALLOWED_HOSTS =
            "G_NETWORK_ALLOWED_HOSTS_(bounds|commandThat|half|hostThat|names|refuses|reset|slow|thousand|tls).*";

    private static Set<String> tests(Class<?> contract) {
        return ReflectionSupport.findMethods(
                        contract,
                        method -> AnnotationSupport.isAnnotated(method, Test.class)
                                || AnnotationSupport.isAnnotated(method, ParameterizedTest.class),
                        HierarchyTraversalMode.TOP_DOWN)
                .stream()
                .map(Method::getName)
                .collect(Collectors.toSet());
    }

    @Test
    void C_everyTestOfContractIsInShortRunOfLayerThatProvesIt() {
        assertThat(CONTRACT)
                .isNotEmpty()
                .allSatisfy(test -> assertThat(WHOLE)
                        .as("layers whose short run has %s", test)
                        .anyMatch(layer -> layer.in(Run.SHORT).include(test)));
    }

    @ParameterizedTest
    @EnumSource
    void everyNameSelectsTest(Layer layer) {
        Set<String> known =
                Stream.of(CONTRACT, ESCAPES, WORKTREE).flatMap(Set::stream).collect(Collectors.toSet());
        Set<String> named = Stream.of(Run.values())
                .flatMap(run -> layer.in(run).beginnings().stream())
                .collect(Collectors.toSet());
        assertThat(named)
                .allSatisfy(beginning -> assertThat(known)
                        .as("tests that begin with '%s'", beginning)
                        .anyMatch(test -> test.startsWith(beginning)));
    }

    /** The rows whose full run is whole; the others repeat parts of one of them. */
    @ParameterizedTest
    @EnumSource(
            value = Layer.class,
            names = {"BUBBLEWRAP", "CHANNELS", "ESCAPES", "WORKTREE"})
    void fullRunLeavesNothingOut(Layer layer) {
        assertThat(Stream.of(CONTRACT, ESCAPES, WORKTREE).flatMap(Set::stream)).allMatch(layer.in(Run.FULL)::include);
    }

    @Test
    void fullRunOfContainersLeavesOutSharedClausesAlone() {
        assertFullRunLeavesOut(Layer.CONTAINER, OF_CHANNELS + "|C11_whatHasEnded.*|C20_many.*|" + OF_ALLOWED_HOSTS);
        assertThat(CONTRACT.stream().filter(test -> test.matches(OF_ALLOWED_HOSTS)))
                .isNotEmpty()
                .allMatch(Layer.BUBBLEWRAP.in(Run.SHORT)::include);
    }

    /** Those of the last two kinds take a pod each, or much of the cluster's time. */
    @Test
    void fullRunOfPodsLeavesOutSharedClausesAndThoseOfShellsAndGuardAlone() {
        String ofShells = "C6_twenty.*|C11_(eachOfSeveral|underLoad|whatHasEnded).*"
                + "|C20_(abortEnds|interrupt|itIs|killEnds|many|no).*";
        String ofGuard = "G_PROTECTED_PATHS_stayAs.*";
        assertFullRunLeavesOut(
                Layer.POD, OF_CHANNELS + "|" + ofShells + "|" + ofGuard + "|G_whatIsAskedFor.*|" + OF_ALLOWED_HOSTS);
        assertThat(CONTRACT.stream().filter(test -> test.matches(ofGuard)))
                .isNotEmpty()
                .allMatch(Layer.CONTAINER.in(Run.FULL)::include);
    }

    private static void assertFullRunLeavesOut(Layer layer, String names) {
        assertThat(CONTRACT.stream().filter(test -> !layer.in(Run.FULL).include(test)))
                .isNotEmpty()
                .allSatisfy(test -> assertThat(test).matches(names))
                .allMatch(Layer.CHANNELS.in(Run.FULL)::include);
    }

    @Test
    void fullRunOfContainersLeavesOutPlantedFilesAlone() {
        assertThat(ESCAPES)
                .allSatisfy(
                        test -> assertThat(Layer.CONTAINER_ESCAPES.in(Run.FULL).include(test))
                                .as(test)
                                .isEqualTo(!test.startsWith("hostRunsNothingThatACommandLeft")));
    }
}
