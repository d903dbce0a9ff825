package dev.paddock.executor.landlock;

import dev.paddock.executor.tck.jvm.OrdinaryUser;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Runs what depends on privileges again without root's. */
@Tag("full")
class OrdinaryUserTest {

    @Test
    void confinement() throws Exception {
        OrdinaryUser.runs(
                10,
                LandlockEscapeTest.class,
                LandlockConformanceTest.class,
                LandlockExecutorTest.class,
                ConfinedThreadTest.class);
    }
}
