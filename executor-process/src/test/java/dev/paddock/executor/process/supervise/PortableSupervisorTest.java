package dev.paddock.executor.process.supervise;

/** Runs the same tests without Linux's own calls, as on macOS. */
class PortableSupervisorTest extends SupervisorTest {

    @Override
    Supervisor make() {
        return Supervisor.ofPortableProcesses("portable-test", false);
    }
}
