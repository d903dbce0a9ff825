package dev.paddock.executor.docker;

/** Runs the contract in an attached container with an init; each command starts cold. */
class AttachedDebianContractTest extends DockerContract {
    AttachedDebianContractTest() {
        super(TestEngine.DEBIAN, true, true, false);
    }

    @Override
    int warmSlots() {
        return 0;
    }
}
