package dev.paddock.executor.docker;

/** Runs the contract in a managed container whose image contains nothing but a static busybox. */
class ManagedBusyboxContractTest extends DockerContract {
    ManagedBusyboxContractTest() {
        super(TestEngine.BUSYBOX, false, true, true);
    }
}
