package dev.paddock.executor.docker;

import dev.paddock.executor.tck.layer.Layer;
import dev.paddock.executor.tck.layer.ProvenBy;
import org.junit.jupiter.api.Tag;

/** Runs the contract in an attached container without an init. */
@Tag("full")
@ProvenBy(Layer.FURTHER_SYSTEM)
class AttachedBusyboxContractTest extends DockerContract {
    AttachedBusyboxContractTest() {
        super(TestEngine.BUSYBOX, true, false);
    }
}
