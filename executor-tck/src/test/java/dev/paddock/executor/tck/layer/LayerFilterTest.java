package dev.paddock.executor.tck.layer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import dev.paddock.executor.tck.CommandExecutorContract;
import dev.paddock.executor.tck.subject.ContractEnvironment;
import dev.paddock.executor.tck.subject.ContractSubject;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.platform.engine.TestSource;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.PostDiscoveryFilter;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;
import org.junit.platform.launcher.core.LauncherConfig;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** Tests which tests of a class are discovered; the classes here are run by no other test. */
class LayerFilterTest {
    private static final String OWN = "C6_ofTheExecutorsOwn";

    /** Nested, and so not run by itself. */
    static class Unnamed extends CommandExecutorContract {
        @Override
        protected ContractSubject subject(ContractEnvironment environment) {
            throw new IllegalStateException("it is discovered, and not run");
        }

        @Test
        void C6_ofTheExecutorsOwn() {}
    }

    @ProvenBy(Layer.WRAPPER)
    static class Wrapper extends Unnamed {
        @Test
        void C8_ofTheWrappersOwn() {}
    }

    private static Set<String> discovered(Class<?> contract, Optional<Run> run) {
        LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                .selectors(selectClass(contract))
                .filters(new LayerFilter(run))
                .build();
        LauncherConfig withoutServices = LauncherConfig.builder()
                .enablePostDiscoveryFilterAutoRegistration(false)
                .build();
        TestPlan plan = LauncherFactory.create(withoutServices).discover(request);
        return plan.getRoots().stream()
                .flatMap(root -> plan.getDescendants(root).stream())
                .map(TestIdentifier::getSource)
                .flatMap(Optional::stream)
                .filter(MethodSource.class::isInstance)
                .map(LayerFilterTest::name)
                .collect(Collectors.toSet());
    }

    private static String name(TestSource source) {
        return ((MethodSource) source).getMethodName();
    }

    @Test
    void rowsTestsAndClasssOwnAreDiscovered() {
        assertThat(discovered(Wrapper.class, Optional.of(Run.SHORT)))
                .contains("C9_killEndsTree", "C8_ofTheWrappersOwn")
                .doesNotContain("C9_stopAndContinue", "C9_signalsAreDelivered", "C12_nothingSurvivesJvm", OWN);
    }

    /** An integrator's class, and any class outside of Paddock's build. */
    @Test
    void everyTestIsDiscoveredWithoutRowOrWithoutRun() {
        Set<String> every = discovered(Unnamed.class, Optional.empty());
        assertThat(every).contains("C9_killEndsTree", "C9_stopAndContinue", "C9_signalsAreDelivered", OWN);
        assertThat(discovered(Unnamed.class, Optional.of(Run.SHORT))).isEqualTo(every);
        assertThat(discovered(Wrapper.class, Optional.empty()))
                .containsAll(every)
                .contains("C8_ofTheWrappersOwn");
    }

    @Test
    void junitFindsFilter() {
        assertThat(ServiceLoader.load(PostDiscoveryFilter.class)).hasAtLeastOneElementOfType(LayerFilter.class);
    }

    @Test
    void unknownRunIsRefused() {
        assertThat(Run.named("", false)).isEmpty();
        assertThat(Run.named("short", true)).contains(Run.SHORT);
        assertThat(Run.named("full", false)).contains(Run.FULL);
        assertThat(Run.named("full", true)).contains(Run.ORDINARY_USER);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Run.named("shrt", false))
                .withMessageContaining("'shrt'");
    }
}
