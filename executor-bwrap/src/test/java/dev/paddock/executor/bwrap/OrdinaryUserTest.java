package dev.paddock.executor.bwrap;

import dev.paddock.executor.tck.jvm.OrdinaryUser;
import org.junit.jupiter.api.Test;

/** The suites again, where the kernel grants nothing but user namespaces. */
class OrdinaryUserTest {

    @Test
    void theSuites() throws Exception {
        OrdinaryUser.runs(
                10,
                BwrapContractTest.class,
                BwrapEscapeTest.class,
                BwrapConformanceTest.class,
                BwrapExecutorTest.class);
    }
}
