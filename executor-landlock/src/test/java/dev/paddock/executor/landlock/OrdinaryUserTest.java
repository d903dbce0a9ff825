package dev.paddock.executor.landlock;

import dev.paddock.executor.tck.jvm.OrdinaryUser;
import org.junit.jupiter.api.Test;

/** The suites once more, without root's rights. */
class OrdinaryUserTest {

    @Test
    void theSuitesPassForAnOrdinaryUser() throws Exception {
        OrdinaryUser.runs(
                10,
                LandlockContractTest.class,
                LandlockEscapeTest.class,
                LandlockConformanceTest.class,
                LandlockExecutorTest.class,
                ConfinedThreadTest.class);
    }
}
