package dev.paddock.executor.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.RunOptions;
import dev.paddock.executor.SandboxLostException;
import dev.paddock.executor.SpawnOptions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;

/** A command that does not end by itself, whose processes are found on the node, which is this machine. */
final class LastingCommand {
    /** C15: within so many seconds a loss is reported. */
    static final int LOSS_BOUND_SECONDS = 5;

    /** Distinguishes its processes from all others. */
    private final String seconds = Long.toString(100_000 + System.nanoTime() % 100_000);

    /** Returns its text: one process stays in the command's session, one leaves it. */
    String text() {
        return "sleep " + seconds + " & setsid sleep " + seconds;
    }

    ProcessLike running(KubernetesExecutor executor) throws Exception {
        ProcessLike command = executor.spawn("echo up; " + text(), SpawnOptions.in("/work"));
        assertThat(command.stdout().readNBytes(3)).asString().isEqualTo("up\n");
        return command;
    }

    void awaitEnd(Duration bound) {
        Awaitility.await("no process of the command is left")
                .atMost(bound)
                .until(() -> ProcessHandle.allProcesses()
                        .noneMatch(process -> List.of(process.info().arguments().orElse(new String[0]))
                                .contains(seconds)));
    }

    static void awaitLoss(ProcessLike command) {
        assertThatThrownBy(() -> command.onExit().toCompletableFuture().get(LOSS_BOUND_SECONDS, TimeUnit.SECONDS))
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(SandboxLostException.class);
    }

    /** Waits until an executor that has lost its pod serves commands again, which see the worktree's file. */
    static void awaitUsable(KubernetesExecutor executor) {
        Awaitility.await("the executor is usable again")
                .atMost(Duration.ofSeconds(90))
                .pollInSameThread()
                .ignoreExceptionsInstanceOf(ExecutorException.class)
                .until(() -> executor.run("cat file", RunOptions.in("/work"))
                        .outText()
                        .equals("here\n"));
    }
}
