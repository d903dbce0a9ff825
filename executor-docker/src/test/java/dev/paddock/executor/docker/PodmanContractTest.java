package dev.paddock.executor.docker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.executor.Availability;
import dev.paddock.executor.docker.engine.Engine;
import dev.paddock.executor.tck.layer.Layer;
import dev.paddock.executor.tck.layer.ProvenBy;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

/** Runs a part of the contract in a managed container of Podman's. */
@Tag("full")
@ProvenBy(Layer.FURTHER_ENGINE)
class PodmanContractTest extends DockerContract {
    @RegisterExtension
    static final PodmanEngineExtension PODMAN = new PodmanEngineExtension();

    PodmanContractTest() {
        super(TestEngine.BUSYBOX, false, true);
    }

    @Test
    @ResourceLock(Resources.SYSTEM_PROPERTIES)
    void probeNamesPodman() {
        System.setProperty("DOCKER_HOST", address().orElseThrow());
        try {
            assertThat(new DockerProvider().probe())
                    .isInstanceOfSatisfying(
                            Availability.Usable.class,
                            usable -> assertThat(usable.version()).startsWith("Podman "));
        } finally {
            System.clearProperty("DOCKER_HOST");
        }
    }

    @Override
    Engine engine(String image) {
        return Engine.at(address().orElseThrow());
    }

    @Override
    Optional<String> address() {
        return Optional.of(System.getProperty(PodmanEngineExtension.ADDRESS));
    }
}
