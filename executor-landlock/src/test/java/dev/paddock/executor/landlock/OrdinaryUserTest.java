package dev.paddock.executor.landlock;

import dev.paddock.executor.tck.jvm.OrdinaryUser;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Runs the suites again without root's privileges. */
@Tag("full")
class OrdinaryUserTest {

    @Test
    void theSuitesPassForAnOrdinaryUser() throws Exception {
        OrdinaryUser.runs(
                10,
                LandlockContractTest.class,
                LandlockEscapeTest.class,
                LandlockConformanceTest.class,
                LandlockExecutorTest.class,
                ConfinedThreadTest.class,
                LandlockWorktreeTest.class);
    }
}
