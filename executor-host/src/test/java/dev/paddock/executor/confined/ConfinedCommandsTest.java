package dev.paddock.executor.confined;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.confined.ConfinedCommands.Slot;
import dev.paddock.executor.policy.ProtectedPaths;
import dev.paddock.executor.process.HostEnvironment;
import dev.paddock.executor.process.Starter;
import dev.paddock.executor.process.Supervisor;
import dev.paddock.executor.protect.WorktreeGuard;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** A command runs under the plan that was right when it was let go, or not at all. */
@EnabledOnOs(OS.LINUX)
class ConfinedCommandsTest {
    @TempDir
    private Path directory;

    private final List<String> prepared = Collections.synchronizedList(new ArrayList<>());
    private final List<AutoCloseable> opened = new ArrayList<>();

    @SuppressWarnings("NullAway.Init") // set before each test
    private ConfinedCommands<String> commands;

    private Path worktree = Path.of("/");

    @BeforeEach
    void make() throws Exception {
        directory = directory.toRealPath();
        worktree = Files.createDirectory(directory.resolve("worktree"));
        Path state = Files.createDirectory(directory.resolve("state"));
        Supervisor supervisor = Supervisor.create("confined-test", false);
        WorktreeGuard guard =
                WorktreeGuard.open(worktree, ProtectedPaths.standard(), state, directory.resolve("quarantine"));
        opened.add(guard);
        Starter starter = Starter.of(supervisor);
        commands = new ConfinedCommands<>(
                new ConfinedCommands.Place("test", "No remedy.", supervisor, guard, starter, UnaryOperator::identity),
                0,
                (plan, given, meanwhile) -> {
                    prepared.add(plan);
                    Map<String, String> env = Map.of(
                            "PLAN",
                            plan,
                            "PATH",
                            HostEnvironment.SYSTEM_PATH,
                            CommandExecutor.MARKER,
                            supervisor.newMarker());
                    return new Slot(
                            supervisor.launch(
                                    starter.launch("/bin/sh", "sh").env(env).build()),
                            env);
                });
        opened.add(commands);
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable resource : opened.reversed()) {
            resource.close();
        }
    }

    /** Gives one plan after another, of which only some are still right a moment later. */
    private static final class Changing implements ConfinedCommands.Plans<String> {
        private final String right;
        private int made;

        Changing(String right) {
            this.right = right;
        }

        @Override
        public String now() {
            return "plan " + ++made;
        }

        @Override
        public boolean stillHolds(String plan) {
            return plan.equals(right);
        }
    }

    private ProcessLike run(ConfinedCommands.Plans<String> plans) {
        return commands.spawn(
                "echo \"$PLAN\" | tee -a ran",
                SpawnOptions.builder(worktree.toString()).build(),
                "/bin/sh",
                Map.of(),
                plans);
    }

    @Test
    void C14_whatAnOutdatedPlanWasMadeForIsMadeAgain() throws Exception {
        ProcessLike process = run(new Changing("plan 2"));
        assertThat(new String(process.stdout().readAllBytes(), UTF_8)).isEqualTo("plan 2\n");
        CompletableFuture<?> settled = process.onClosed().toCompletableFuture();
        settled.join();
        assertThat(prepared).containsExactly("plan 1", "plan 2");
        assertThat(worktree.resolve("ran")).hasContent("plan 2");
    }

    @Test
    void C14_plansThatKeepChangingRunNothing() {
        assertThatThrownBy(() -> run(new Changing("never")))
                .isInstanceOf(ExecutorException.class)
                .hasMessageContaining("keeps changing");
        assertThat(worktree.resolve("ran")).doesNotExist();
    }
}
