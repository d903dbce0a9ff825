package dev.paddock.executor.docker;

import dev.paddock.executor.Availability;
import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.ExecutorProvider;
import dev.paddock.executor.policy.NetworkPolicy;
import dev.paddock.executor.policy.SandboxPolicy;
import dev.paddock.executor.tck.ConformanceContract;
import dev.paddock.executor.tck.subject.Prerequisite;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/** Checks the conformance matrix's column of managed containers. */
@Tag("full")
class DockerConformanceTest extends ConformanceContract {

    @TempDir
    static Path quarantine;

    @Override
    protected ExecutorProvider provider() {
        TestEngine.withImage(TestEngine.DEBIAN);
        return new Bridged(new DockerProvider());
    }

    @Override
    protected Map<String, String> settings() {
        return Map.of(
                "image",
                TestEngine.DEBIAN,
                "pull",
                "never",
                "quarantine",
                quarantine.toString(),
                "warmSlots",
                "0"); // the engine confines a container, and not a command
    }

    @Override
    protected Optional<Path> document() {
        return TestEngine.hasBridge() ? Optional.of(Path.of("..", "docs", "conformance.md")) : Optional.empty();
    }

    /** Skips the cases that open the network on an engine that was started without one. */
    private record Bridged(DockerProvider docker) implements ExecutorProvider {
        @Override
        public String name() {
            return docker.name();
        }

        @Override
        public Availability probe() {
            return docker.probe();
        }

        @Override
        public CommandExecutor create(SandboxPolicy policy, Map<String, String> settings) {
            if (policy.network() instanceof NetworkPolicy.Open) {
                Prerequisite.require(TestEngine.hasBridge(), "the engine has no network");
            }
            return docker.create(policy, settings);
        }
    }
}
