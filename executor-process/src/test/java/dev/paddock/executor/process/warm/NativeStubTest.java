package dev.paddock.executor.process.warm;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.Signal;
import dev.paddock.executor.SpawnException;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.process.end.BoundedWait;
import dev.paddock.executor.process.launch.ChildProcess;
import dev.paddock.executor.process.launch.HostEnvironment;
import dev.paddock.executor.process.launch.LaunchSpec;
import dev.paddock.executor.process.supervise.Supervisor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that the native stub executes the command exactly, or reports why it cannot. */
@EnabledOnOs(OS.LINUX)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class NativeStubTest {
    private static final int NUMBER = 5;

    private final Supervisor supervisor = Supervisor.create("native-stub-test", false);
    private final NativeStub stub = NativeStub.as(NUMBER).orElseThrow();

    @AfterAll
    void dispose() {
        supervisor.close();
    }

    @Test
    void C3_variablesAreThoseOfShellThatIsStartedWithThem() throws IOException {
        Map<String, String> env = new LinkedHashMap<>();
        env.put("IFS", "x");
        env.put("OPTIND", "7");
        env.put("PS4", "é'\"\\$`\n\t!");
        env.put("EMPTY", "");
        env.put("BASE", "the command's own");
        CommandRequest request = request("printenv --null", env);
        Map<String, String> base = Map.of("BASE", "overlaid", "PATH", HostEnvironment.SYSTEM_PATH);
        LaunchSpec direct = LaunchSpec.builder(request.shell(), "-c", "--", request.command())
                .env(base)
                .env(env)
                .env("PWD", "/")
                .build();
        ChildProcess shell = supervisor.launch(direct);
        try {
            String expected = new String(shell.stdout().readAllBytes(), UTF_8);
            assertThat(expected.split("\0", -1)).contains("PS4=é'\"\\$`\n\t!", "BASE=the command's own");
            assertThat(run(request, base).split("\0", -1)).containsExactlyInAnyOrder(expected.split("\0", -1));
        } finally {
            supervisor.discard(shell);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 4000, 130_000, 140_000})
    void C2_commandsAreExact(int length) throws IOException {
        String content = "é'\"\\$` *\t".repeat(length / 9 + 1);
        assertThat(run(request("cat <<'END OF IT'\n" + content + "\nEND OF IT\n", Map.of())))
                .isEqualTo(content + "\n");
    }

    @Test
    void C2_commandOfMebibyteArrivesThroughShellStub() throws IOException {
        String line = ": " + "0123456789".repeat(20) + "\n";
        String command = line.repeat((CommandExecutor.MAX_COMMAND_BYTES - 100) / line.length()) + "echo \"$0 $# $WHO\"";
        assertThat(run(request(command, Map.of("WHO", "me")))).isEqualTo("/bin/sh 0 me\n");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 140_000})
    void commandInheritsNothing(int length) throws IOException {
        String command = ": " + "x".repeat(length) + "\nfor fd in 3 4 5 6 7 8 9; do [ -e /proc/self/fd/$fd ] && "
                + "echo open $fd; done; set | grep __paddock; env | grep -v -e ^PATH= -e ^PWD=; true";
        assertThat(run(request(command, Map.of()))).isEmpty();
    }

    @Test
    void C5_C6_emptyInputAndMergedOutput() throws IOException {
        CommandRequest merged = new CommandRequest(
                "/bin/sh",
                "cat; echo out; echo err >&2; echo end",
                "/",
                Map.of(),
                SpawnOptions.Stdin.EMPTY,
                SpawnOptions.Stderr.MERGED);
        assertThat(run(merged)).isEqualTo("out\nerr\nend\n");
    }

    @Test
    void C4_refusalsAreTyped(@TempDir Path directory) throws IOException {
        assertThat(answer(in("/no such place"))).isEqualTo(CommandRequest.Answer.CWD_MISSING);
        assertThat(answer(in("/bin/sh"))).isEqualTo(CommandRequest.Answer.CWD_NOT_DIRECTORY);
        CommandRequest noShell = new CommandRequest(
                "/no shell", "true", "/", Map.of(), SpawnOptions.Stdin.EMPTY, SpawnOptions.Stderr.SEPARATE);
        assertThat(answer(noShell)).isEqualTo(CommandRequest.Answer.NO_SHELL);
        Path loop = Files.createSymbolicLink(directory.resolve("loop"), Path.of("loop"));
        assertThatThrownBy(() -> answer(in(loop.toString())))
                .isInstanceOf(SpawnException.class)
                .hasMessageContaining(loop.toString());
    }

    @Test
    void C1_requestsLongerThanSystemAcceptsAreRefused() {
        Map<String, String> env = new LinkedHashMap<>();
        for (int index = 0; index < 60; index++) {
            env.put("V" + index, "x".repeat(120_000));
        }
        assertThatThrownBy(() -> answer(request("true", env)))
                .isInstanceOf(SpawnException.class)
                .hasMessageContaining("too long");
        env.put("MORE", "x".repeat(100_000));
        for (int index = 0; index < 20; index++) {
            env.put("W" + index, "x".repeat(120_000));
        }
        assertThatThrownBy(() -> answer(request("true", env)))
                .isInstanceOf(SpawnException.class)
                .hasMessageContaining("longer than the system takes");
    }

    @Test
    void C4_stubThatCannotEnterDirectoryExits() throws IOException {
        ChildProcess child = launch(Map.of());
        try {
            assertThat(stub.execute(child, Map.of(), in("/no such place")))
                    .isEqualTo(CommandRequest.Answer.CWD_MISSING);
            assertThat(BoundedWait.upTo(10_000, child.ended())).isTrue();
            assertThat(child.stdout().readAllBytes()).isEmpty();
        } finally {
            supervisor.discard(child);
        }
    }

    @Test
    void C1_stubThatWasKilledHasRunNothing() throws IOException {
        ChildProcess child = launch(Map.of());
        try {
            child.signal(Signal.KILL);
            assertThat(BoundedWait.upTo(10_000, child.ended())).isTrue();
            assertThatThrownBy(() -> stub.execute(child, Map.of(), request("true", Map.of())))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("ended");
        } finally {
            supervisor.discard(child);
        }
    }

    @Test
    void stubExitsAtEndOfItsInput() throws IOException {
        ChildProcess child = launch(Map.of());
        child.to(3).close();
        assertThat(BoundedWait.upTo(10_000, child.ended())).isTrue();
        supervisor.discard(child);
    }

    private CommandRequest in(String directory) {
        return new CommandRequest(
                "/bin/sh", "echo ran", directory, Map.of(), SpawnOptions.Stdin.EMPTY, SpawnOptions.Stderr.SEPARATE);
    }

    private CommandRequest request(String command, Map<String, String> env) {
        return new CommandRequest("/bin/sh", command, "/", env, SpawnOptions.Stdin.EMPTY, SpawnOptions.Stderr.SEPARATE);
    }

    private String run(CommandRequest request) throws IOException {
        return run(request, Map.of("PATH", HostEnvironment.SYSTEM_PATH));
    }

    private String run(CommandRequest request, Map<String, String> env) throws IOException {
        ChildProcess child = launch(env);
        try {
            assertThat(stub.execute(child, env, request)).isEqualTo(CommandRequest.Answer.READY);
            return new String(child.stdout().readAllBytes(), UTF_8);
        } finally {
            supervisor.discard(child);
        }
    }

    private CommandRequest.Answer answer(CommandRequest request) throws IOException {
        ChildProcess child = launch(Map.of());
        try {
            return stub.execute(child, Map.of(), request);
        } finally {
            supervisor.discard(child);
        }
    }

    private ChildProcess launch(Map<String, String> env) {
        return supervisor.launch(
                stub.launch().env(env).stdin(SpawnOptions.Stdin.PIPE).build());
    }
}
