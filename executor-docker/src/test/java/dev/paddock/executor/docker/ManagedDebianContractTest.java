package dev.paddock.executor.docker;

/** The contract in a container of our own, with dash for a shell. */
class ManagedDebianContractTest extends DockerContract {
    ManagedDebianContractTest() {
        super(TestEngine.DEBIAN, false, true, 100);
    }
}
