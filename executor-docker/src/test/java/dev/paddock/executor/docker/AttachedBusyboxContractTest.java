package dev.paddock.executor.docker;

import org.junit.jupiter.api.Tag;

/** Runs the contract in an attached container without an init. */
@Tag("full")
class AttachedBusyboxContractTest extends DockerContract {
    AttachedBusyboxContractTest() {
        super(TestEngine.BUSYBOX, true, false, false);
    }
}
