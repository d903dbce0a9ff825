package dev.paddock.executor.docker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.github.dockerjava.api.exception.NotFoundException;
import dev.paddock.executor.AbortController;
import dev.paddock.executor.AbortedException;
import dev.paddock.executor.ExecutorDisposedException;
import dev.paddock.executor.Progress;
import dev.paddock.executor.SandboxUnavailableException;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.docker.engine.Engine;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalDouble;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests image pulls, from a registry of the tests' own. */
@Tag("full")
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PullTest {
    private final Engine engine = TestEngine.withImage(TestEngine.BUSYBOX);
    private final List<Progress> reports = new CopyOnWriteArrayList<>();
    private final CountDownLatch halfway = new CountDownLatch(1);
    private final TestRegistry registry = serve();

    @TempDir
    Path directory;

    private TestRegistry serve() {
        try {
            return TestRegistry.serving(engine, TestEngine.BUSYBOX);
        } catch (Exception fault) {
            throw new IllegalStateException("the registry could not be started", fault);
        }
    }

    @BeforeEach
    void removeImage() {
        engine.call(client -> {
            try {
                client.removeImageCmd(registry.image()).exec();
                return true;
            } catch (NotFoundException absent) {
                return false;
            }
        });
    }

    @AfterEach
    void close() throws Exception {
        removeImage();
        registry.close();
    }

    private DockerExecutor executor(String image) {
        return DockerExecutor.builder()
                .image(image)
                .worktree(directory)
                .onProgress(this::note)
                .build();
    }

    private void note(Progress progress) {
        reports.add(progress);
        OptionalDouble fraction = progress.fraction();
        if (fraction.isPresent() && fraction.getAsDouble() > 0 && fraction.getAsDouble() < 1) {
            halfway.countDown();
        }
    }

    @Test
    void absentImageIsPulledAndProgressIsReported() throws Exception {
        try (DockerExecutor executor = executor(registry.image())) {
            CompletableFuture<Runs> run = CompletableFuture.supplyAsync(() -> {
                try {
                    return Runs.of(executor, "/work", "echo fetched");
                } catch (Exception fault) {
                    throw new IllegalStateException(fault);
                }
            });
            assertThat(halfway.await(60, TimeUnit.SECONDS))
                    .as("reported halfway")
                    .isTrue();
            registry.sendRest();
            assertThat(run.get(60, TimeUnit.SECONDS).out()).isEqualTo("fetched\n");
        }
        assertThat(reports.getFirst())
                .as("said before the registry has answered")
                .isEqualTo(Progress.of("fetching the image '" + registry.image() + "'", OptionalDouble.empty(), ""));
        assertThat(reports.getLast().fraction()).hasValue(1);
        assertThat(reports.getLast().detail()).startsWith("2 of 2 layers, ");
    }

    @Test
    void C10_abortEndsFetching() throws Exception {
        AbortController controller = new AbortController();
        try (DockerExecutor executor = executor(registry.image())) {
            CompletableFuture<Void> spawn = CompletableFuture.runAsync(() -> executor.spawn(
                    "true",
                    SpawnOptions.builder("/work").signal(controller.signal()).build()));
            assertThat(halfway.await(60, TimeUnit.SECONDS))
                    .as("reported halfway")
                    .isTrue();
            controller.abort("enough");
            assertThatThrownBy(() -> spawn.get(30, TimeUnit.SECONDS))
                    .isInstanceOf(ExecutionException.class)
                    .hasCauseInstanceOf(AbortedException.class);
        }
    }

    @Test
    void C11_disposalEndsFetching() throws Exception {
        DockerExecutor executor = executor(registry.image());
        CompletableFuture<Void> spawn =
                CompletableFuture.runAsync(() -> executor.spawn("true", SpawnOptions.in("/work")));
        assertThat(halfway.await(60, TimeUnit.SECONDS)).as("reported halfway").isTrue();
        executor.dispose();
        assertThatThrownBy(() -> spawn.get(30, TimeUnit.SECONDS))
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(ExecutorDisposedException.class);
    }

    @ParameterizedTest
    @CsvSource({
        "404, false, there is no image",
        "401, false, may not be fetched",
        "403, false, may not be fetched",
        "429, true, could not be fetched",
        "500, true, could not be fetched"
    })
    void registryErrorsAreClassifiedAsTransientOrPermanent(int status, boolean isTransient, String reason) {
        String image = registry.refusing(status);
        try (DockerExecutor executor = executor(image)) {
            SandboxUnavailableException fault = catchThrowableOfType(
                    SandboxUnavailableException.class, () -> executor.spawn("true", SpawnOptions.in("/work")));
            assertThat(fault).isNotNull();
            assertThat(fault.reason()).contains(image, reason);
            assertThat(fault.isTransient()).as(fault.reason()).isEqualTo(isTransient);
        }
    }
}
