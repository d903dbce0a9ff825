package dev.paddock.executor.remote.shell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.paddock.executor.CommandShell;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.process.warm.CommandRequest;
import java.io.BufferedReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests which shell a slot takes, in remote systems with and without bash. */
@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SlotShellTest {
    private static final Path BASH = Path.of("/bin/bash");

    @TempDir
    Path programs;

    @ParameterizedTest
    @CsvSource({
        "dash, true, OWN, sh",
        "dash, true, BASH_IF_PRESENT, bash",
        "dash, true, BASH, bash",
        "dash, false, BASH_IF_PRESENT, sh",
        "dash, false, BASH, refused start there is no bash on its PATH",
        "busybox sh, true, BASH, bash",
        "busybox sh, false, BASH, refused start there is no bash on its PATH",
        "bash, true, BASH, bash",
    })
    void findsBashOnItsPath(String slot, boolean hasBash, CommandShell wanted, String expected) throws Exception {
        String program = slot.split(" ", -1)[0];
        assumeTrue(Files.exists(BASH) && Files.exists(Path.of("/bin", program)), "a shell is not installed");
        Files.createSymbolicLink(programs.resolve("sh"), Path.of("/bin/dash").toRealPath());
        if (hasBash) {
            Files.createSymbolicLink(programs.resolve("bash"), BASH.toRealPath());
        }
        assertThat(answer(slot, wanted)).isEqualTo(expected);
    }

    private String answer(String shell, CommandShell wanted) throws Exception {
        List<String> argv = new ArrayList<>(List.of("/bin/" + shell.split(" ", -1)[0]));
        argv.addAll(List.of(shell.split(" ", -1)).subList(1, shell.split(" ", -1).length));
        argv.addAll(Script.BOOTSTRAP.subList(1, Script.BOOTSTRAP.size()));
        ProcessBuilder builder = new ProcessBuilder(argv).redirectError(ProcessBuilder.Redirect.DISCARD);
        builder.environment().put("PATH", "/no/such/directory:" + programs);
        Process slot = builder.start();
        try (BufferedReader output = slot.inputReader()) {
            slot.getOutputStream().write(Script.SLOT);
            slot.getOutputStream().flush();
            long pid = Long.parseLong(output.readLine().split(" ", -1)[1]);
            CommandRequest request = new CommandRequest(
                    "sh",
                    "[ -n \"$BASH_VERSION\" ] && echo bash || echo sh",
                    "/",
                    Map.of(),
                    SpawnOptions.Stdin.EMPTY,
                    SpawnOptions.Stderr.SEPARATE);
            slot.getOutputStream()
                    .write(RequestLine.encode(request, wanted, CommandId.random(), 0, OrphanPolicy.MARKED, pid, false));
            slot.getOutputStream().flush();
            String answer = output.readLine();
            return answer.startsWith("ready ") ? output.readLine() : answer;
        } finally {
            slot.descendants().forEach(ProcessHandle::destroyForcibly);
            slot.destroyForcibly().onExit().join();
        }
    }
}
