package dev.paddock.executor.docker;

import dev.paddock.executor.tck.layer.Layer;
import dev.paddock.executor.tck.layer.ProvenBy;
import org.junit.jupiter.api.Tag;

/** Runs the contract in a managed container whose image contains nothing but a static bash. */
@Tag("full")
@ProvenBy(Layer.FURTHER_IMAGE)
class ManagedShellContractTest extends DockerContract {
    ManagedShellContractTest() {
        super(TestEngine.SHELL, false, true);
    }
}
