package dev.paddock.executor.remote.custom;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paddock.executor.CommandResult;
import dev.paddock.executor.ExitStatus;
import dev.paddock.executor.Guarantee;
import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.RunOptions;
import dev.paddock.executor.SandboxLostException;
import dev.paddock.executor.SandboxUnavailableException;
import dev.paddock.executor.Signal;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.remote.ChannelFactory;
import dev.paddock.executor.remote.ShellChannel;
import java.io.BufferedReader;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.channels.ClosedChannelException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests the options and the connections of an executor over channels; samples/ssh-executor has the contract. */
@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ChannelExecutorTest {
    private final List<LocalConnection> connections = new ArrayList<>();

    private ChannelExecutor.Builder local() {
        return ChannelExecutor.builder(LocalConnection.NAME, () -> {
            connections.add(new LocalConnection());
            return connections.getLast();
        });
    }

    @Test
    void commandHasVariablesOfRemoteSystemAndOfBuilder() throws Exception {
        try (ChannelExecutor executor = local().env(Map.of("OWN", "builder")).build()) {
            CommandResult result = executor.run("echo $LOCAL $OWN; pwd >&2; exit 3", RunOptions.in("/usr"));
            assertThat(result.outText()).isEqualTo("there builder\n");
            assertThat(result.errText()).isEqualTo("/usr\n");
            assertThat(result.status().orElseThrow().code()).isEqualTo(3);
        }
    }

    @Test
    void C15_reportedLossFailsCommandsAndNextConnectsAnew() throws Exception {
        try (ChannelExecutor executor = local().build()) {
            ProcessLike command = executor.spawn(
                    "echo up; read x",
                    SpawnOptions.builder("/").stdin(SpawnOptions.Stdin.PIPE).build());
            assertThat(command.stdout().read()).isEqualTo('u');
            connections.getFirst().loss.complete("the cable was pulled");
            assertThatThrownBy(() -> command.onExit().toCompletableFuture().get(30, TimeUnit.SECONDS))
                    .isInstanceOf(ExecutionException.class)
                    .cause()
                    .isInstanceOf(SandboxLostException.class)
                    .hasMessageContaining("the cable was pulled");
            assertThat(executor.run("echo again", RunOptions.in("/")).outText()).isEqualTo("again\n");
            assertThat(connections).extracting(LocalConnection::isClosed).containsExactly(true, false);
        }
        assertThat(connections).extracting(LocalConnection::isClosed).containsExactly(true, true);
    }

    /** The end of the control shell is known by its input alone: another process holds its output open. */
    @Test
    void C11_commandIsKilledAfterItHasKilledControlShell() throws Exception {
        try (ChannelExecutor executor = local().warmSlots(0).build()) {
            ProcessLike command = executor.spawn(
                    "echo $$; read control; exec 9>/proc/$control/fd/1; kill -KILL $control; echo killed; sleep 1000",
                    SpawnOptions.builder("/").stdin(SpawnOptions.Stdin.PIPE).build());
            BufferedReader output = new BufferedReader(new InputStreamReader(command.stdout(), StandardCharsets.UTF_8));
            ProcessHandle main =
                    ProcessHandle.of(Long.parseLong(output.readLine())).orElseThrow();
            List<ProcessHandle> others = connections.getFirst().shells.stream()
                    .filter(ProcessHandle::isAlive)
                    .filter(shell ->
                            shell.pid() != main.pid() && shell.descendants().noneMatch(main::equals))
                    .toList();
            assertThat(others).as("the control shell").hasSize(1);
            command.stdin().write((others.getFirst().pid() + "\n").getBytes(StandardCharsets.US_ASCII));
            command.stdin().flush();
            assertThat(output.readLine()).isEqualTo("killed");
            command.kill(Signal.KILL);
            assertThat(command.onExit().toCompletableFuture().get(30, TimeUnit.SECONDS))
                    .isEqualTo(new ExitStatus.Signaled(Signal.KILL));
            assertThat(executor.run("echo again", RunOptions.in("/")).outText()).isEqualTo("again\n");
            assertThat(connections).hasSize(1);
        }
    }

    /** Some exceptions of the JDK have no message. */
    @Test
    void connectionThatEndsWithoutReasonIsNamedByKindOfItsFault() throws Exception {
        String marker = "marker-4711";
        LocalConnection remote = new LocalConnection();
        try (remote;
                ChannelExecutor executor = ChannelExecutor.builder(
                                "odd", () -> argv -> new BreakingChannel(remote.open(argv), marker))
                        .warmSlots(0)
                        .build()) {
            assertThat(executor.run("echo works", RunOptions.in("/")).outText()).isEqualTo("works\n");
            assertThatThrownBy(() -> executor.run("echo " + marker, RunOptions.in("/")))
                    .isInstanceOf(SandboxLostException.class)
                    .hasMessageContaining("ClosedChannel")
                    .hasMessageNotContaining("null");
        }
    }

    /** Fails at the request of a command. */
    private record BreakingChannel(ShellChannel channel, String marker) implements ShellChannel {
        @Override
        public OutputStream input() {
            return new FilterOutputStream(channel.input()) {
                @Override
                public void write(byte[] bytes, int offset, int length) throws IOException {
                    if (new String(bytes, offset, length, StandardCharsets.ISO_8859_1).contains(marker)) {
                        throw new ClosedChannelException();
                    }
                    out.write(bytes, offset, length);
                }
            };
        }

        @Override
        public void endInput() throws IOException {
            channel.endInput();
        }

        @Override
        public void deliver(Output output) throws IOException {
            channel.deliver(output);
        }

        @Override
        public OptionalInt exitCode() {
            return channel.exitCode();
        }

        @Override
        public SandboxLostException loss(String reason, Throwable cause) {
            return channel.loss(reason, cause);
        }

        @Override
        public void close() {
            channel.close();
        }
    }

    @Test
    void nothingConnectsBeforeFirstCommand() {
        try (ChannelExecutor executor = local().build()) {
            assertThat(executor.isDisposed()).isFalse();
        }
        assertThat(connections).isEmpty();
    }

    /** A lambda is a connection: without a report of its loss, and with nothing to close. */
    @Test
    void C14_placeWithoutLinuxIsUnavailable() {
        ChannelFactory elsewhere = argv -> {
            connections.add(new LocalConnection());
            ShellChannel unused = connections.getLast().open(List.of("true"));
            return unused;
        };
        try (ChannelExecutor executor = ChannelExecutor.builder("odd", () -> elsewhere::open)
                .remoteName("the box 'odd'")
                .build()) {
            assertThatThrownBy(() -> executor.run("true", RunOptions.in("/")))
                    .isInstanceOf(SandboxUnavailableException.class)
                    .hasMessageContaining("the box 'odd' has no Linux /proc");
        } finally {
            connections.forEach(LocalConnection::close);
        }
    }

    @Test
    void claimsGuaranteesThatAuthorNamesButNoTerminal() {
        PathMapping shared = PathMapping.same(Path.of("/srv"));
        try (ChannelExecutor executor = local().guarantees(Set.of(Guarantee.NETWORK_OFF))
                .sharedDirectory(shared)
                .build()) {
            assertThat(executor.name()).isEqualTo(LocalConnection.NAME);
            assertThat(executor.guarantees()).containsExactly(Guarantee.NETWORK_OFF);
            assertThat(executor.worktree()).contains(shared);
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> local().guarantees(Set.of(Guarantee.TERMINAL)))
                .withMessageContaining("TERMINAL");
        assertThatIllegalArgumentException().isThrownBy(() -> ChannelExecutor.builder(" ", LocalConnection::new));
        assertThatIllegalArgumentException().isThrownBy(() -> local().warmSlots(-1));
    }
}
