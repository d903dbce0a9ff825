package dev.paddock.executor.docker;

/** Runs the contract in a managed container whose image contains nothing but a static bash. */
class ManagedShellContractTest extends DockerContract {
    ManagedShellContractTest() {
        super(TestEngine.SHELL, false, true, false);
    }
}
