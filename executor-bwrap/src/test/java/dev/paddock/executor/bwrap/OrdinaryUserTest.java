package dev.paddock.executor.bwrap;

import dev.paddock.executor.tck.jvm.OrdinaryUser;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Runs the suites again as a user to whom the kernel grants no privilege but user namespaces. */
@Tag("full")
class OrdinaryUserTest {

    @Test
    void theSuites() throws Exception {
        OrdinaryUser.runs(
                10,
                BwrapContractTest.class,
                BwrapEscapeTest.class,
                BwrapConformanceTest.class,
                BwrapExecutorTest.class,
                BwrapWorktreeTest.class);
    }
}
