package dev.paddock.executor.docker;

import dev.paddock.executor.tck.jvm.OrdinaryUser;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Runs the suites again as a member of the engine's group, as which most people use an engine. */
@Tag("full")
class GroupMemberTest {

    @Test
    void theSuites() throws Exception {
        OrdinaryUser.runsInGroup(
                TestEngine.group(),
                10,
                AllowedProgramsInContainersTest.class,
                ContainerFilterTest.class,
                EverydayProgramsTest.class,
                KilledSessionTest.class,
                LinkedWorktreeTest.class,
                ManagedContainerTest.class,
                ManagedWorktreeTest.class,
                OrphanReapingTest.class,
                RemoveOnDisposeTest.class,
                TerminalTest.class);
    }
}
