package dev.paddock.executor.docker;

/** Runs the contract in an attached container without an init. */
class AttachedBusyboxContractTest extends DockerContract {
    AttachedBusyboxContractTest() {
        super(TestEngine.BUSYBOX, true, false, false);
    }
}
