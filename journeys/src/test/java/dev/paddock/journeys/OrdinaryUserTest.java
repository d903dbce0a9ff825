package dev.paddock.journeys;

import dev.paddock.executor.tck.jvm.OrdinaryUser;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/**
 * Runs again, as a user without privileges, what people type first in their own projects, as far as it depends on who
 * types it.
 */
@EnabledOnOs(OS.LINUX)
@Tag("full")
class OrdinaryUserTest {

    @Test
    void whatPeopleTypeFirst() throws Exception {
        OrdinaryUser.runs(
                10,
                BadSurroundingsTest.class,
                BundlerTest.class,
                CompilerCachesTest.class,
                FirstBuildsTest.class,
                FirstCommandsTest.class,
                PostgresTest.class,
                ProgramsOfTheWorktreeTest.class,
                UserGitTest.class);
    }
}
