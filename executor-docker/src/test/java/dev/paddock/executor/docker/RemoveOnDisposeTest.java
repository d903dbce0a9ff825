package dev.paddock.executor.docker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.executor.docker.container.ContainerRemoval;
import dev.paddock.executor.docker.container.ContainerState;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests that an attached container outlives the executor, unless the executor is configured to
 * remove it.
 */
@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RemoveOnDisposeTest {
    @TempDir
    Path directory;

    private static String word(String container) {
        return ContainerState.of(TestEngine.get(), container).word();
    }

    private static void use(DockerExecutor.Builder builder) throws Exception {
        try (DockerExecutor executor = builder.build()) {
            assertThat(Runs.of(executor, "/work", "echo works").out()).isEqualTo("works\n");
        }
    }

    @Tag("full")
    @Test
    void attachedContainerIsRemovedIfAskedFor() throws Exception {
        String container = TestEngine.start(TestEngine.BUSYBOX, directory, true);
        assertThat(word(container)).isEqualTo("running");
        use(DockerExecutor.builder().container(container).removeOnDispose());
        assertThat(word(container)).isEqualTo("absent");
    }

    @Test
    void attachedContainerIsKeptOtherwise() throws Exception {
        String container = TestEngine.start(TestEngine.BUSYBOX, directory, true);
        try {
            use(DockerExecutor.builder().container(container));
            assertThat(word(container)).isEqualTo("running");
        } finally {
            ContainerRemoval.of(TestEngine.get(), container);
        }
    }
}
