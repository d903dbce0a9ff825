package dev.paddock.executor.process.supervise;

import dev.paddock.executor.os.posix.Posix;
import org.junit.jupiter.api.Tag;

/** Runs the same tests without Linux's own calls, as on macOS. */
@Tag("full")
class PortableSupervisorTest extends SupervisorTest {

    @Override
    Supervisor make() {
        return Supervisor.ofPortableProcesses("portable-test", false);
    }

    @Override
    Supervisor make(SupervisorBounds bounds) {
        return Supervisor.within(bounds, "portable-test", Posix.portable());
    }
}
