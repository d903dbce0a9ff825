package dev.paddock.harness.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.RunOptions;
import dev.paddock.executor.SpawnException;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.host.HostExecutor;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MeteredExecutorTest {
    @TempDir
    private Path directory;

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final MeteredExecutor executor = MeteredExecutor.of(HostExecutor.create(), registry);

    @AfterEach
    void dispose() {
        executor.close();
    }

    private long count(String status) {
        return registry.get("paddock.commands")
                .tags("executor", "host", "status", status)
                .timer()
                .count();
    }

    @Test
    @SuppressWarnings("CheckReturnValue")
    void commandsAreTimedByTheirStatusAndOutputIsCounted() throws InterruptedException {
        RunOptions options = RunOptions.in(directory.toString());
        executor.run("printf hello; printf 12 >&2", options);
        executor.run("exit 3", options);
        executor.run("exit 4", options);
        executor.run("kill -KILL $$", options);
        assertThat(count("success")).isEqualTo(1);
        assertThat(count("failure")).isEqualTo(2);
        assertThat(count("signaled")).isEqualTo(1);
        assertThat(registry.get("paddock.commands.start").timer().count()).isEqualTo(4);
        assertThat(registry.get("paddock.commands.output").counter().count()).isEqualTo(7);
        assertThat(registry.get("paddock.commands.active").longTaskTimer().activeTasks())
                .isZero();
    }

    @Test
    void commandThatRunsIsActive() {
        ProcessLike process = executor.spawn(
                "cat",
                SpawnOptions.builder(directory.toString())
                        .stdin(SpawnOptions.Stdin.PIPE)
                        .build());
        assertThat(registry.get("paddock.commands.active").longTaskTimer().activeTasks())
                .isEqualTo(1);
        executor.dispose();
        process.onClosed().toCompletableFuture().join();
        assertThat(registry.get("paddock.commands.active").longTaskTimer().activeTasks())
                .isZero();
        assertThat(count("signaled")).isEqualTo(1);
    }

    @Test
    void launchesThatFailAreCountedByTheirFault() {
        SpawnOptions nowhere =
                SpawnOptions.builder(directory.resolve("absent").toString()).build();
        assertThatThrownBy(() -> executor.spawn("true", nowhere)).isInstanceOf(SpawnException.class);
        assertThat(registry.get("paddock.commands.refused")
                        .tags("executor", "host", "fault", "SpawnException")
                        .counter()
                        .count())
                .isEqualTo(1);
        assertThat(registry.find("paddock.commands").timer()).isNull();
    }
}
