package dev.paddock.executor.docker;

/** The contract in a container of our own, with nothing inside but a static busybox. */
class ManagedBusyboxContractTest extends DockerContract {
    ManagedBusyboxContractTest() {
        super(TestEngine.BUSYBOX, false, true, true);
    }
}
