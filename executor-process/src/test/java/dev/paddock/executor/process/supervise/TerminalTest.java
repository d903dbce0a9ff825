package dev.paddock.executor.process.supervise;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.ExitStatus;
import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.Signal;
import dev.paddock.executor.SpawnException;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.TerminalSize;
import dev.paddock.executor.process.launch.ChildProcess;
import dev.paddock.executor.process.launch.HelperCommand;
import dev.paddock.executor.process.launch.HostEnvironment;
import dev.paddock.executor.process.launch.LaunchSpec;
import dev.paddock.executor.process.launch.Terminal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@EnabledOnOs(OS.LINUX)
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class TerminalTest {
    private static final TerminalSize SIZE = new TerminalSize(80, 24);

    private static Terminal open(Supervisor supervisor) {
        return supervisor.terminals().orElseThrow().open(SIZE);
    }

    private static ProcessLike command(Supervisor supervisor, String script) {
        ProcessTableMark before = supervisor.now();
        String marker = supervisor.newMarker();
        ChildProcess child = supervisor.launch(LaunchSpec.builder("/bin/sh", "-c", script)
                .env("PATH", HostEnvironment.SYSTEM_PATH)
                .env(CommandExecutor.MARKER, marker)
                .terminal(open(supervisor))
                .build());
        return supervisor.supervise(child, SpawnOptions.in("/"), supervisor.hostTree(child, marker, before));
    }

    private static ExitStatus status(ProcessLike command) throws Exception {
        return command.onExit().toCompletableFuture().get();
    }

    @Test
    void C6_closingOutputHangsTerminalUp() throws Exception {
        try (Supervisor supervisor = Supervisor.create("test", false)) {
            ProcessLike command = command(supervisor, "echo up; read x; exit 3");
            assertThat(command.stdout().read()).isEqualTo('u');
            command.stdout().close();
            assertThat(status(command)).isEqualTo(new ExitStatus.Signaled(Signal.HUP));
            assertThatThrownBy(() -> command.stdin().write('x')).isInstanceOf(IOException.class);
        }
    }

    @Test
    void C8_leftoverThatIsKeptKeepsOutputOpenUntilItEnds(@TempDir Path directory) throws Exception {
        Path fifo = directory.resolve("fifo");
        assertThat(HelperCommand.run(List.of("mkfifo", fifo.toString())).succeeded())
                .isTrue();
        try (Supervisor supervisor = Supervisor.create("test", true)) {
            ProcessLike command = command(supervisor, "trap '' HUP; { read x < " + fifo + "; echo later; } & echo now");
            assertThat(command.onClosed().toCompletableFuture().get().notices()).isEmpty();
            Files.writeString(fifo, "go\n");
            assertThat(new String(command.stdout().readAllBytes(), UTF_8)).isEqualTo("now\r\nlater\r\n");
            assertThat(command.resize(100, 30)).isFalse();
        }
    }

    @Test
    void C8_restIsReadAfterEnd() throws Exception {
        try (Supervisor supervisor = Supervisor.create("test", false)) {
            ProcessLike command = command(supervisor, "printf %03000d 7");
            assertThat(command.onClosed().toCompletableFuture().get().notices()).isEmpty();
            assertThat(command.stdout().readAllBytes()).hasSize(3000).endsWith('7');
        }
    }

    @Test
    void terminalThatIsNotLaunchedCanBeClosed() throws Exception {
        try (Supervisor supervisor = Supervisor.create("test", false)) {
            Terminal terminal = open(supervisor);
            LaunchSpec missing = LaunchSpec.builder("/nonexistent/program")
                    .terminal(terminal)
                    .build();
            assertThatThrownBy(() -> supervisor.launch(missing)).isInstanceOf(SpawnException.class);
            assertThat(terminal.resize(SIZE)).isTrue();
            terminal.close();
            terminal.close();
            assertThat(terminal.resize(SIZE)).isFalse();
        }
    }

    @Test
    void onlyLinuxsOwnCallsGiveTerminals() throws Exception {
        try (Supervisor portable = Supervisor.ofPortableProcesses("test", false);
                Supervisor jdk = Supervisor.ofJdkProcesses("test", false);
                Supervisor best = Supervisor.create("test", false);
                Terminal terminal = open(best)) {
            assertThat(portable.terminals()).isEmpty();
            assertThat(jdk.terminals()).isEmpty();
            LaunchSpec spec =
                    LaunchSpec.builder("/bin/sh", "-c", ":").terminal(terminal).build();
            assertThatThrownBy(() -> jdk.launch(spec))
                    .isInstanceOf(SpawnException.class)
                    .hasMessageContaining("terminal");
        }
    }
}
