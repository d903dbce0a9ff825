package dev.paddock.executor.bwrap;

import dev.paddock.executor.tck.jvm.OrdinaryUser;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Runs what depends on privileges again as a user to whom the kernel grants none but user namespaces,
 * and whose sockets in a network of allowed hosts the JVM gets in another way.
 */
@Tag("full")
class OrdinaryUserTest {

    @Test
    void confinementAndWorktrees() throws Exception {
        OrdinaryUser.runs(
                10,
                BwrapEscapeTest.class,
                BwrapConformanceTest.class,
                AllowedHostsTest.class,
                LoopbackPortTest.class,
                PublishedPortTest.class,
                BwrapExecutorTest.class,
                BwrapWorktreeTest.class);
    }
}
