package dev.paddock.executor.docker;

import dev.paddock.executor.tck.layer.Layer;
import dev.paddock.executor.tck.layer.ProvenBy;

/** Runs the contract in a managed container whose image contains nothing but a static busybox. */
@ProvenBy(Layer.CONTAINER)
class ManagedBusyboxContractTest extends DockerContract {
    ManagedBusyboxContractTest() {
        super(TestEngine.BUSYBOX, false, true);
    }
}
