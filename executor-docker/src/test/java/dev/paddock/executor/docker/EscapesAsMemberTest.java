package dev.paddock.executor.docker;

import dev.paddock.executor.tck.jvm.OrdinaryUser;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Attempts the escapes again as a member of the engine's group: the commands have a user of the machine's there. */
@Tag("full")
class EscapesAsMemberTest {

    @Test
    void escapes() throws Exception {
        OrdinaryUser.runsInGroup(TestEngine.group(), 10, ManagedEscapeTest.class);
    }
}
