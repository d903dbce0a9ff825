package dev.paddock.executor.docker;

/** The contract in a container of somebody else's, with nothing inside but a static bash. */
class AttachedShellContractTest extends DockerContract {
    AttachedShellContractTest() {
        super(TestEngine.SHELL, true, false, 100);
    }
}
