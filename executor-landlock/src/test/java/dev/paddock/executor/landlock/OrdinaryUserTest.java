package dev.paddock.executor.landlock;

import dev.paddock.executor.tck.OrdinaryUser;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

/** The suites once more, without root's rights. */
@EnabledIf("dev.paddock.executor.tck.OrdinaryUser#canBeTaken")
class OrdinaryUserTest {

    @Test
    void theSuitesPassForAnOrdinaryUser() throws Exception {
        OrdinaryUser.run(
                LandlockContractTest.class,
                LandlockEscapeTest.class,
                LandlockExecutorTest.class,
                ConfinedThreadTest.class);
    }
}
