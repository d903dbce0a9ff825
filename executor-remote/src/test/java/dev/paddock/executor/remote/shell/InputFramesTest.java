package dev.paddock.executor.remote.shell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.paddock.executor.CommandShell;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.process.warm.CommandRequest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests a command's input in frames, through a slot of each kind of shell (C5). */
@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class InputFramesTest {
    private static final CommandId ID = CommandId.random();

    /** Runs a command in a slot; its output ends at the sentinel, which precedes its exit code. */
    private static final class Ran implements AutoCloseable {
        private final Process slot;
        private final CompletableFuture<String> output;

        Ran(String shell, String command) throws IOException {
            List<String> argv = new ArrayList<>(List.of(shell.split(" ", -1)));
            argv.addAll(Script.BOOTSTRAP.subList(1, Script.BOOTSTRAP.size()));
            // In a session of its own, as remote systems start processes.
            argv.addAll(0, List.of("setsid", "--wait"));
            slot = new ProcessBuilder(argv)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            slot.getOutputStream().write(Script.SLOT);
            slot.getOutputStream().flush();
            long pid = Long.parseLong(line(slot.getInputStream()).split(" ", -1)[1]);
            CommandRequest request = new CommandRequest(
                    "sh", command, "/", Map.of(), SpawnOptions.Stdin.PIPE, SpawnOptions.Stderr.SEPARATE);
            slot.getOutputStream()
                    .write(RequestLine.encode(request, CommandShell.OWN, ID, 0, OrphanPolicy.MARKED, pid, true));
            slot.getOutputStream().flush();
            output = CompletableFuture.supplyAsync(() -> read(slot.getInputStream()));
        }

        private static String line(InputStream stream) throws IOException {
            StringBuilder line = new StringBuilder();
            for (int next = stream.read(); next >= 0 && next != '\n'; next = stream.read()) {
                line.append((char) next);
            }
            return line.toString();
        }

        private static String read(InputStream stream) {
            ByteArrayOutputStream all = new ByteArrayOutputStream();
            try {
                byte[] block = new byte[8192];
                for (int count = stream.read(block); count >= 0; count = stream.read(block)) {
                    all.write(block, 0, count);
                    byte[] bytes = all.toByteArray();
                    int mark = ID.mark().find(bytes, 0, bytes.length);
                    if (mark + ID.mark().length() < bytes.length && bytes[bytes.length - 1] == '\n') {
                        return new String(bytes, StandardCharsets.ISO_8859_1);
                    }
                }
                throw new IOException("no end: " + all);
            } catch (IOException fault) {
                throw new UncheckedIOException(fault);
            }
        }

        OutputStream input() {
            return slot.getOutputStream();
        }

        String output() throws Exception {
            return output.get(30, TimeUnit.SECONDS);
        }

        @Override
        public void close() {
            slot.descendants().forEach(ProcessHandle::destroyForcibly);
            slot.destroyForcibly().onExit().join();
        }
    }

    private static void assumeInstalled(String shell) throws Exception {
        String program = shell.split(" ", -1)[0];
        assumeTrue(new ProcessBuilder("which", program).start().waitFor() == 0, program + " is not installed");
    }

    @ParameterizedTest
    @ValueSource(strings = {"bash", "dash", "busybox sh"})
    void everyByteArrivesAndInputEnds(String shell) throws Exception {
        assumeInstalled(shell);
        byte[] input = new byte[700_000];
        new Random(1).nextBytes(input);
        try (Ran ran = new Ran(shell, "cat")) {
            InputFrames.write(ran.input(), input, 0, 1);
            InputFrames.write(ran.input(), input, 1, input.length - 1);
            InputFrames.end(ran.input());
            ran.input().flush();
            String output = ran.output();
            assertThat(output.contains(new String(input, StandardCharsets.ISO_8859_1)))
                    .as("the %d bytes of %d are the same", output.length(), input.length)
                    .isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"bash", "dash", "busybox sh"})
    void commandNeedNotReadToEnd(String shell) throws Exception {
        assumeInstalled(shell);
        try (Ran ran = new Ran(shell, "read x; echo got $x; exit 7")) {
            byte[] lines = "one\ntwo\n".getBytes(StandardCharsets.US_ASCII);
            InputFrames.write(ran.input(), Arrays.copyOf(lines, lines.length), 0, lines.length);
            ran.input().flush();
            assertThat(ran.output()).contains("got one\n").endsWith("7 0\n");
        }
    }
}
