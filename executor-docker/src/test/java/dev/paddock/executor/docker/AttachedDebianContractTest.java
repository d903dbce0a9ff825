package dev.paddock.executor.docker;

/** The contract in a container of somebody else's, with an init. */
class AttachedDebianContractTest extends DockerContract {
    AttachedDebianContractTest() {
        super(TestEngine.DEBIAN, true, true, 100);
    }
}
