package dev.paddock.executor.tck.layer;

import java.util.Optional;
import org.junit.platform.engine.FilterResult;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.PostDiscoveryFilter;

/**
 * Filters out the tests that {@link Layer} does not select for a class. They are not discovered, and so not reported
 * as skipped: a skipped test means that the machine lacks something.
 *
 * <p>Does nothing unless the system property {@code paddock.tests} names the run. Paddock's build sets
 * it; an integrator's, an IDE, and a run of tests by name do not.
 */
public final class LayerFilter implements PostDiscoveryFilter {
    private final Optional<Run> run;

    /** Called by JUnit, which finds the class as a service. */
    public LayerFilter() {
        this(Run.current());
    }

    LayerFilter(Optional<Run> run) {
        this.run = run;
    }

    @Override
    public FilterResult apply(TestDescriptor test) {
        return FilterResult.includedIf(run.isEmpty()
                || test.getSource()
                        .filter(MethodSource.class::isInstance)
                        .map(MethodSource.class::cast)
                        .map(method -> isSelected(method, run.get()))
                        .orElse(true));
    }

    private static boolean isSelected(MethodSource method, Run run) {
        Class<?> tested = method.getJavaClass();
        ProvenBy row = tested.getAnnotation(ProvenBy.class);
        return row == null
                || method.getJavaMethod().getDeclaringClass().equals(tested) // the executor's own
                || row.value().in(run).include(method.getMethodName());
    }
}
