package dev.paddock.executor.process.warm;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.SpawnException;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.process.launch.ChildDescriptor;
import dev.paddock.executor.process.launch.ChildProcess;
import dev.paddock.executor.process.launch.HostEnvironment;
import dev.paddock.executor.process.launch.LaunchSpec;
import dev.paddock.executor.process.supervise.Supervisor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests that requests reach the command exactly, through every shell that a stub may use and both
 * transports.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CommandRequestTest {
    private static final List<String> DASH = List.of("/bin/dash");

    private static final List<List<String>> SHELLS =
            List.of(List.of("/bin/sh"), DASH, List.of("/bin/bash", "--posix"), List.of("/bin/busybox", "sh"));

    @SuppressWarnings("OrphanedFormatString") // a format of the shell's
    private static final String PRINT_EACH = "printf '%s\\0'";

    private final Supervisor supervisor = Supervisor.create("request-test", false);

    @AfterAll
    void dispose() {
        supervisor.close();
    }

    /** Returns each shell that is installed, and dash once where it is sh. */
    static Stream<Arguments> shells() throws IOException {
        List<List<String>> shells = new ArrayList<>(SHELLS);
        shells.removeIf(shell -> HostEnvironment.findProgram(shell.get(0)).isEmpty());
        if (shells.contains(DASH) && Files.isSameFile(Path.of("/bin/sh"), Path.of(DASH.get(0)))) {
            shells.remove(DASH);
        }
        return shells.stream()
                .flatMap(shell ->
                        Stream.of(CommandRequest.Transport.values()).map(transport -> Arguments.of(shell, transport)));
    }

    @ParameterizedTest
    @MethodSource("shells")
    void C3_valuesAreExact(List<String> shell, CommandRequest.Transport transport) throws Exception {
        Random random = new Random(20260101);
        for (int round = 0; round < 12; round++) {
            Map<String, String> env = new LinkedHashMap<>();
            StringBuilder expected = new StringBuilder();
            StringBuilder command = new StringBuilder(PRINT_EACH);
            for (int index = 0; index < 4; index++) {
                String value = text(random, random.nextInt(200));
                env.put("V" + index, value);
                expected.append(value).append('\0');
                command.append(" \"$V").append(index).append('"');
            }
            assertThat(run(shell, transport, request(command.toString(), env))).isEqualTo(expected.toString());
        }
    }

    @ParameterizedTest
    @MethodSource("shells")
    void C2_commandsAreExact(List<String> shell, CommandRequest.Transport transport) throws Exception {
        Random random = new Random(42);
        for (int length : new int[] {0, 1, 7, 100, 4000, 140_000}) {
            String content = text(random, length);
            String command = "cat <<'END OF IT'\n" + content + "\nEND OF IT\n";
            assertThat(run(shell, transport, request(command, Map.of()))).isEqualTo(content + "\n");
        }
    }

    @ParameterizedTest
    @MethodSource("shells")
    void C2_mebibyteOfLinesArrives(List<String> shell, CommandRequest.Transport transport) throws Exception {
        String line = ": " + "0123456789".repeat(20) + "\n";
        String command = line.repeat((CommandExecutor.MAX_COMMAND_BYTES - 100) / line.length()) + "echo \"$0 $# last\"";
        assertThat(run(shell, transport, request(command, Map.of()))).isEqualTo("/bin/sh 0 last\n");
    }

    @ParameterizedTest
    @MethodSource("shells")
    void commandInheritsNeitherRequestNorAnswer(List<String> shell, CommandRequest.Transport transport)
            throws Exception {
        for (int length : new int[] {0, 140_000}) {
            String command = ": " + "x".repeat(length) + "\nfor fd in 3 4 5 6 7 8 9; do [ -e /proc/self/fd/$fd ] && "
                    + "echo open $fd; done; set | grep __paddock; env | grep -e __paddock -e OLDPWD; true";
            assertThat(run(shell, transport, request(command, Map.of()))).isEmpty();
        }
    }

    @ParameterizedTest
    @MethodSource("shells")
    void C4_answersAreTyped(List<String> shell, CommandRequest.Transport transport) throws Exception {
        CommandRequest missing = new CommandRequest(
                "/bin/sh", "true", "/no such place", Map.of(), SpawnOptions.Stdin.EMPTY, SpawnOptions.Stderr.SEPARATE);
        CommandRequest file = new CommandRequest(
                "/bin/sh", "true", "/bin/sh", Map.of(), SpawnOptions.Stdin.EMPTY, SpawnOptions.Stderr.SEPARATE);
        CommandRequest noShell = new CommandRequest(
                "/no shell", "true", "/", Map.of(), SpawnOptions.Stdin.EMPTY, SpawnOptions.Stderr.SEPARATE);
        assertThat(answer(shell, transport, missing)).isEqualTo(CommandRequest.Answer.CWD_MISSING);
        assertThat(answer(shell, transport, file)).isEqualTo(CommandRequest.Answer.CWD_NOT_DIRECTORY);
        assertThat(answer(shell, transport, noShell)).isEqualTo(CommandRequest.Answer.NO_SHELL);
        assertThatThrownBy(() -> CommandRequest.Answer.CWD_MISSING.requireReady(missing))
                .isInstanceOf(SpawnException.class)
                .hasMessageContaining("/no such place");
    }

    @Test
    void C2_invalidCommandsAndVariablesAreRefused() {
        assertThatThrownBy(() -> CommandRequest.requireCommand("a\0b"))
                .isInstanceOf(SpawnException.class)
                .hasMessageContaining("NUL at character 1");
        assertThatThrownBy(() -> CommandRequest.requireCommand("é".repeat(600_000)))
                .isInstanceOf(SpawnException.class)
                .hasMessageContaining("1200000 bytes");
        assertThatThrownBy(() -> CommandRequest.requireVariable("BIG", "x".repeat(131_072)))
                .isInstanceOf(SpawnException.class)
                .hasMessageContaining("BIG");
    }

    @Test
    void C3_variablesThatShellsTreatSpeciallyAreKnown() {
        CommandLauncher launcher = CommandLauncher.ofShells(CommandRequest.Transport.DESCRIPTORS);
        assertThat(List.of("PATH", "HOME", "LC_ALL", "FOO")).allMatch(launcher::passesExactly);
        assertThat(List.of("OPTIND", "BASH_ENV")).noneMatch(launcher::passesExactly);
    }

    private CommandRequest request(String command, Map<String, String> env) {
        return new CommandRequest("/bin/sh", command, "/", env, SpawnOptions.Stdin.EMPTY, SpawnOptions.Stderr.SEPARATE);
    }

    private String run(List<String> shell, CommandRequest.Transport transport, CommandRequest request)
            throws IOException {
        ChildProcess child = stub(shell, transport);
        try {
            CommandRequest.Answer answer = ShellStub.execute(child, request, transport);
            assertThat(answer).isEqualTo(CommandRequest.Answer.READY);
            return new String(child.stdout().readAllBytes(), UTF_8);
        } finally {
            supervisor.discard(child);
        }
    }

    private CommandRequest.Answer answer(List<String> shell, CommandRequest.Transport transport, CommandRequest request)
            throws IOException {
        ChildProcess child = stub(shell, transport);
        try {
            return ShellStub.execute(child, request, transport);
        } finally {
            supervisor.discard(child);
        }
    }

    private ChildProcess stub(List<String> shell, CommandRequest.Transport transport) {
        List<String> argv = new ArrayList<>(shell);
        argv.addAll(List.of("-c", transport.bootstrap(), "/bin/sh"));
        LaunchSpec.Builder spec = LaunchSpec.builder(argv)
                .env("PATH", HostEnvironment.SYSTEM_PATH)
                .env("LANG", "C.UTF-8")
                .stdin(SpawnOptions.Stdin.PIPE);
        if (transport == CommandRequest.Transport.DESCRIPTORS) {
            spec.descriptor(CommandRequest.REQUEST_DESCRIPTOR, new ChildDescriptor.Reads())
                    .descriptor(CommandRequest.ANSWER_DESCRIPTOR, new ChildDescriptor.Writes());
        }
        return supervisor.launch(spec.build());
    }

    /**
     * Every kind of character that shells treat specially, control characters and dash's own escape
     * bytes included.
     */
    private static String text(Random random, int length) {
        String special = "'\"\\$`\n\t =;&|<>(){}[]*?!#~-+%,\r\u0001\u001f\u007f\u0080\u0081\u0088\u00e9\u4e2d\u0085";
        StringBuilder text = new StringBuilder();
        while (text.length() < length) {
            switch (random.nextInt(4)) {
                case 0 -> text.append((char) ('a' + random.nextInt(26)));
                case 1 -> text.append(special.charAt(random.nextInt(special.length())));
                case 2 -> text.appendCodePoint(0x1F300 + random.nextInt(200));
                default -> text.append((char) (1 + random.nextInt(0x2ff)));
            }
        }
        return text.toString();
    }
}
