package dev.paddock.executor.docker;

import dev.paddock.executor.tck.jvm.OrdinaryUser;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Runs the tests again as a member of the engine's group, for whom the engine opens the sockets. */
@Tag("full")
class AllowedHostsAsMemberTest {

    @Test
    void allowedHosts() throws Exception {
        OrdinaryUser.runsInGroup(TestEngine.group(), 10, DockerAllowedHostsTest.class, ManagedEscapeTest.class);
    }
}
