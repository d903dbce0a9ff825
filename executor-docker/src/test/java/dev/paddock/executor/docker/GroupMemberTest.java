package dev.paddock.executor.docker;

import dev.paddock.executor.tck.jvm.OrdinaryUser;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Runs suites again as a member of the engine's group, as which most people use an engine: the worktree and
 * the commands are a user's that is not root. The classes are those that look at owners, names and permissions.
 */
@Tag("full")
class GroupMemberTest {

    @Test
    void suites() throws Exception {
        OrdinaryUser.runsInGroup(
                TestEngine.group(),
                10,
                KilledSessionTest.class,
                LinkedWorktreeTest.class,
                ManagedContainerTest.class,
                TerminalTest.class,
                AllowedProgramsInContainersTest.class);
    }
}
