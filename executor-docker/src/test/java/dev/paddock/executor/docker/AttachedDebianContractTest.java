package dev.paddock.executor.docker;

/** The contract in a container of somebody else's, with an init; each command starts cold. */
class AttachedDebianContractTest extends DockerContract {
    AttachedDebianContractTest() {
        super(TestEngine.DEBIAN, true, true, false);
    }

    @Override
    int warmSlots() {
        return 0;
    }
}
