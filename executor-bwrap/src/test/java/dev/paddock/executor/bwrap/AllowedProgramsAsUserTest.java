package dev.paddock.executor.bwrap;

import dev.paddock.executor.tck.jvm.OrdinaryUser;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Runs the programs again as an ordinary user. */
@Tag("full")
class AllowedProgramsAsUserTest {

    @Test
    void allowedPrograms() throws Exception {
        OrdinaryUser.runs(10, AllowedProgramsTest.class);
    }
}
