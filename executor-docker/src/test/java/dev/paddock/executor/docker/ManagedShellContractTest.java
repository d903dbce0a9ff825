package dev.paddock.executor.docker;

/** The contract in a container of our own, with nothing inside but a static bash. */
class ManagedShellContractTest extends DockerContract {
    ManagedShellContractTest() {
        super(TestEngine.SHELL, false, true, false);
    }
}
