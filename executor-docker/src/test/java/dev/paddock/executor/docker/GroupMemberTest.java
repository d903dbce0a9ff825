package dev.paddock.executor.docker;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.paddock.executor.docker.engine.Engine;
import dev.paddock.executor.tck.jvm.OrdinaryUser;
import dev.paddock.executor.tck.subject.Prerequisite;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Runs the suites again as a member of the engine's group, as which most people use an engine. */
@Tag("full")
class GroupMemberTest {

    @Test
    void theSuites() throws Exception {
        OrdinaryUser.runsInGroup(
                engineGroup(),
                10,
                ContainerFilterTest.class,
                EverydayProgramsTest.class,
                KilledSessionTest.class,
                LinkedWorktreeTest.class,
                ManagedContainerTest.class,
                ManagedEscapeTest.class,
                ManagedWorktreeTest.class,
                OrphanReapingTest.class,
                RemoveOnDisposeTest.class,
                TerminalTest.class);
    }

    /** Returns the group that owns the engine's socket. */
    private static int engineGroup() throws IOException {
        Engine engine = TestEngine.get();
        assumeTrue(engine.isLocal(), () -> "the engine at " + engine.where() + " has no unix socket");
        Path socket = Path.of(URI.create(engine.where()).getPath());
        int group = (int) Files.getAttribute(socket, "unix:gid");
        Prerequisite.require(group != 0, "the engine's socket '" + socket + "' belongs to root's group");
        return group;
    }
}
