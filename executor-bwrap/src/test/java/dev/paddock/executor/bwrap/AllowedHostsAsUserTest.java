package dev.paddock.executor.bwrap;

import dev.paddock.executor.tck.jvm.OrdinaryUser;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Runs the test again as an ordinary user, whose sockets the JVM gets in another way. */
@Tag("full")
class AllowedHostsAsUserTest {

    @Test
    void allowedHosts() throws Exception {
        OrdinaryUser.runs(5, AllowedHostsTest.class);
    }
}
