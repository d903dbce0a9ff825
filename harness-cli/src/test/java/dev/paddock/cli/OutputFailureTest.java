package dev.paddock.cli;

import static dev.paddock.cli.ExecCommandTest.onHost;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.Pipe;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every command reports standard output that cannot be written, and is silent about a closed pipe. */
class OutputFailureTest {
    private static final String REPORT = "paddock: cannot write to standard output: No space left on device\n";

    @TempDir
    private Path directory;

    private Path project;

    @BeforeEach
    void makeProject() throws IOException {
        project = Files.createDirectory(directory.resolve("project"));
    }

    private Cli cli() {
        return Cli.in(project).env("XDG_STATE_HOME", directory.resolve("state").toString());
    }

    static OutputStream fullDevice() throws IOException {
        return new FileOutputStream("/dev/full");
    }

    private static OutputStream brokenPipe() throws IOException {
        Pipe pipe = Pipe.open();
        pipe.source().close();
        return Channels.newOutputStream(pipe.sink());
    }

    private Cli.Result full(String... arguments) throws IOException, InterruptedException {
        return Cli.finish(cli().builder(arguments)
                .redirectOutput(Path.of("/dev/full").toFile())
                .start());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--help",
                "exec --help",
                "version",
                "doctor",
                "doctor --json",
                "config schema",
                "completion bash",
                "man",
                "workspace list --json",
                "guest --help"
            })
    void outputThatCannotBeWrittenFailsCommandWithOneLine(String line) throws Exception {
        assertThat(cli().callWriting(fullDevice(), line.split(" "))).isEqualTo(new Cli.Result(125, "", REPORT));
    }

    @Test
    void fullDeviceFailsCommandWithOneLine() throws Exception {
        assertThat(full("version")).isEqualTo(new Cli.Result(125, "", REPORT));
    }

    @Test
    void fullDeviceFailsRecordsOfAudit() throws Exception {
        Cli.Result recorded = cli().run(onHost("-n", "true"));
        assertThat(recorded.exitCode()).as(recorded.stderr()).isZero();
        assertThat(cli().callWriting(fullDevice(), "audit", "list")).isEqualTo(new Cli.Result(125, "", REPORT));
    }

    @Test
    void fullDeviceEndsRunningCommand() throws Exception {
        String seconds = "84" + ThreadLocalRandom.current().nextInt(100_000, 1_000_000);
        Cli.Result result = full(onHost("-n", "-c", "echo x; sleep " + seconds));
        assertThat(result).isEqualTo(new Cli.Result(125, "", REPORT));
        assertThat(Cli.processesWith(seconds)).isZero();
    }

    @Test
    void fullDeviceEndsServerOfClient() throws Exception {
        Process server = cli().builder("mcp", "--executor", "host")
                .redirectOutput(Path.of("/dev/full").toFile())
                .start();
        server.getOutputStream().write("""
                {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18",\
                "capabilities":{},"clientInfo":{"name":"test","version":"1"}}}
                """.getBytes(StandardCharsets.UTF_8));
        assertThat(Cli.finish(server)).isEqualTo(new Cli.Result(125, "", REPORT));
    }

    @Test
    void codeOfCommandItselfStays() throws Exception {
        assertThat(cli().callWriting(fullDevice(), "doctor", "--executor", "host", "--network", "off"))
                .isEqualTo(new Cli.Result(1, "", REPORT));
    }

    @Test
    void closedPipeIsNotReported() throws Exception {
        // The reader has closed the pipe before the program starts.
        String program = cli().shellWords("man");
        Process shell = cli().builder()
                .command("bash", "-c", "exec 3> >(exec <&-); wait $!; " + program + " >&3; echo $?")
                .start();
        assertThat(Cli.finish(shell)).isEqualTo(new Cli.Result(0, "141\n", ""));
    }

    @ParameterizedTest
    @ValueSource(strings = {"man", "workspace list --json", "doctor"})
    void outputWhoseReaderHasGoneIsNotReported(String line) throws Exception {
        assertThat(cli().callWriting(brokenPipe(), line.split(" "))).isEqualTo(new Cli.Result(141, "", ""));
    }

    @Test
    void outputThatIsReadSucceeds() throws Exception {
        Cli.Result result = cli().run("version");
        assertThat(result.exitCode()).isZero();
        assertThat(result.stdout()).startsWith("paddock ");
        assertThat(result.stderr()).isEmpty();
    }
}
