package dev.paddock.executor.remote.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paddock.executor.AbortSignal;
import dev.paddock.executor.CommandResult;
import dev.paddock.executor.RunOptions;
import dev.paddock.executor.SandboxLostException;
import dev.paddock.executor.SpawnOptions;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A remote system that is lost while a command starts, as when the command before it has ended the container. */
@EnabledOnOs(OS.LINUX)
class LossBeforeRequestTest {

    static List<Named<Consumer<LocalChannelsExecutor>>> losses() {
        return List.of(
                Named.of("before its slot", LocalChannelsExecutor::cutBeforeNextSlot),
                Named.of("before its request", LocalChannelsExecutor::cutBeforeNextRequest));
    }

    @ParameterizedTest
    @MethodSource("losses")
    void firstCommandRunsInNextSystem(Consumer<LocalChannelsExecutor> loss) throws InterruptedException {
        LocalChannelsExecutor executor = new LocalChannelsExecutor();
        try (executor) {
            loss.accept(executor);
            assertRuns(executor);
        }
    }

    @ParameterizedTest
    @MethodSource("losses")
    void commandForWarmSlotRunsInNextSystem(Consumer<LocalChannelsExecutor> loss) throws InterruptedException {
        LocalChannelsExecutor executor = new LocalChannelsExecutor();
        try (executor) {
            assertRuns(executor);
            while (executor.commands().waitingSlots() == 0) {
                Thread.onSpinWait();
            }
            loss.accept(executor);
            assertRuns(executor);
        }
    }

    @Test
    void commandOfOneSystemRunsInNoOther() {
        LocalChannelsExecutor executor = new LocalChannelsExecutor();
        try (executor) {
            RemoteSystem system = executor.commands().remote(AbortSignal.never());
            executor.cutBeforeNextRequest();
            assertThatThrownBy(() -> executor.commands().spawn(system, "echo ran", SpawnOptions.in("/")))
                    .isInstanceOf(SandboxLostException.class)
                    .hasMessageContaining("the cable was pulled");
        }
    }

    private static void assertRuns(LocalChannelsExecutor executor) throws InterruptedException {
        CommandResult result = executor.run("echo ran", RunOptions.in("/"));
        assertThat(result.outText()).isEqualTo("ran\n");
    }
}
