package dev.paddock.executor.docker;

import dev.paddock.executor.tck.jvm.OrdinaryUser;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Runs suites again as a member of the engine's group, as which most people use an engine: the worktree and
 * the commands are a user's that is not root.
 */
@Tag("full")
class GroupMemberTest {
    private static void run(Class<?>... classes) throws Exception {
        OrdinaryUser.runsInGroup(TestEngine.group(), 10, classes);
    }

    @Test
    void worktrees() throws Exception {
        run(ManagedWorktreeTest.class);
    }

    @Test
    void sessions() throws Exception {
        run(KilledSessionTest.class, LinkedWorktreeTest.class);
    }

    @Test
    void commands() throws Exception {
        run(EverydayProgramsTest.class, ManagedContainerTest.class, OrphanReapingTest.class, TerminalTest.class);
    }

    @Test
    void allowedHosts() throws Exception {
        run(AllowedProgramsInContainersTest.class, DockerAllowedHostsTest.class);
    }
}
