package dev.paddock.executor.docker;

/** The contract in a container of somebody else's, without an init. */
class AttachedBusyboxContractTest extends DockerContract {
    AttachedBusyboxContractTest() {
        super(TestEngine.BUSYBOX, true, false, false);
    }
}
