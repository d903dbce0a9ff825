package dev.paddock.executor.process.supervise;

/** The same without what only Linux has, as on macOS. */
class PortableSupervisorTest extends SupervisorTest {

    @Override
    Supervisor make() {
        return Supervisor.ofPortableProcesses("portable-test", false);
    }
}
