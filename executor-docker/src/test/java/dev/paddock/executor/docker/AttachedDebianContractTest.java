package dev.paddock.executor.docker;

import dev.paddock.executor.tck.layer.Layer;
import dev.paddock.executor.tck.layer.ProvenBy;
import org.junit.jupiter.api.Tag;

/** Runs a part of the contract in an attached container with an init; each command starts cold. */
@Tag("full")
@ProvenBy(Layer.COLD_SYSTEM)
class AttachedDebianContractTest extends DockerContract {
    AttachedDebianContractTest() {
        super(TestEngine.DEBIAN, true, true);
    }

    @Override
    int warmSlots() {
        return 0;
    }
}
