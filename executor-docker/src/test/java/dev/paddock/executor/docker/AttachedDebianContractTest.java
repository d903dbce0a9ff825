package dev.paddock.executor.docker;

import dev.paddock.executor.tck.layer.Layer;
import dev.paddock.executor.tck.layer.ProvenBy;
import org.junit.jupiter.api.Tag;

/** Runs the contract in an attached container with an init; each command starts cold. */
@Tag("full")
@ProvenBy(Layer.FURTHER_SYSTEM)
class AttachedDebianContractTest extends DockerContract {
    AttachedDebianContractTest() {
        super(TestEngine.DEBIAN, true, true);
    }

    @Override
    int warmSlots() {
        return 0;
    }
}
