package dev.paddock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.io.TempDir;

/** {@code paddock doctor}, {@code paddock gc} and {@code paddock version}. */
class MaintenanceTest {
    @TempDir
    private Path directory;

    private Cli withoutSandboxes(List<Class<? extends FakeProvider>> providers) throws Exception {
        return Cli.in(directory)
                .withoutSandboxes()
                .classPath(FakeProvider.declare(directory.resolve("services"), providers));
    }

    @Test
    void doctorTellsOfEveryBackendWhateverItDoes() throws Exception {
        Cli.Result result = withoutSandboxes(List.of(FakeProvider.Broken.class, FakeProvider.Missing.class))
                .run("doctor");
        assertThat(result.stdout())
                .containsPattern("broken +not usable  its probe failed: .*no\\s+probe\n")
                .containsPattern("host +usable ")
                .containsPattern("missing +not usable  its program is not installed\n +Install it.")
                .contains("No sandbox can be used here");
        assertThat(result.stderr()).isEmpty();
        assertThat(result.exitCode()).as("the host is no sandbox").isEqualTo(1);
    }

    @Test
    void doctorDoesNotCallSlowBackendUnusable() throws Exception {
        Cli.Result result =
                withoutSandboxes(List.of(FakeProvider.Undecided.class)).run("doctor");
        assertThat(result.stderr()).contains("undecided: no answer yet; tried once more");
        assertThat(result.stdout()).containsPattern("undecided +undecided +no answer\n");
        assertThat(result.stdout().replaceAll("\\s+", " "))
                .contains("It is not known whether a sandbox can be used here: undecided did not answer")
                .doesNotContain("No sandbox can be used here");
        assertThat(result.exitCode()).isEqualTo(1);
    }

    /** Returns the report of doctor at a terminal of 60 columns. */
    private String doctorAtTerminal(String redirection) throws Exception {
        Path about = directory.resolve("about");
        try (Terminal terminal = Terminal.start(withoutSandboxes(List.of()), about, 60, redirection, "doctor")) {
            int unused = terminal.exitCode();
            return terminal.shown().replace("\r\n", "\n");
        }
    }

    @Test
    void doctorFollowsWidthOfItsTerminal() throws Exception {
        assertThat(doctorAtTerminal(""))
                .endsWith("No sandbox can be used here: commands run only on the host,\nby name.\n");
    }

    @Tag("full")
    @Test
    void doctorInPipeDoesNotFollowTerminal() throws Exception {
        assertThat(doctorAtTerminal("| cat"))
                .endsWith("No sandbox can be used here: commands run only on the host, by name.\n");
    }

    @Test
    void doctorSucceedsIfThereIsSandbox() throws Exception {
        Cli.Result result = withoutSandboxes(List.of(FakeProvider.Untidy.class)).run("doctor", "--json");
        assertThat(result.exitCode()).isZero();
        JsonNode json = new ObjectMapper().readTree(result.stdout());
        assertThat(json.at("/backends").findValuesAsText("name")).contains("host", "untidy");
        assertThat(json.has("used")).as("auto takes none of them").isFalse();
    }

    @Test
    void doctorNamesBackendThatIsUsed() throws Exception {
        Cli here = withoutSandboxes(List.of(FakeProvider.Untidy.class, FakeProvider.Slow.class));
        assertThat(here.run("doctor").stdout())
                .contains("\n\nCommands here run in slow (executor: auto).\n", "check  failed");
        Files.writeString(directory.resolve("paddock.yaml"), "executor: missing\n");
        assertThat(here.run("doctor").stdout()).contains("\n\nCommands here do not run: ", "paddock.yaml");
    }

    @Test
    @ClearsMachine
    void gcTellsWhatItDidAndWhatItCouldNot() throws Exception {
        Cli.Result result = withoutSandboxes(List.of(FakeProvider.Untidy.class, FakeProvider.Broken.class))
                .forked() // as users run it: what it clears is the machine's
                .run("gc");
        assertThat(result.stdout()).contains("untidy: removed container 1a2b\n");
        assertThat(result.stderr()).hasLineCount(1).contains("broken could not be cleaned up: no sweep");
        assertThat(result.exitCode()).isEqualTo(1);
    }

    @Test
    @ClearsMachine
    void gcNamesInDryRunWhatItWouldDo() throws Exception {
        Cli cli = withoutSandboxes(List.of(FakeProvider.Untidy.class)).forked();
        Cli.Result dryRun = cli.run("gc", "--dry-run");
        assertThat(dryRun.stdout()).contains("untidy: would remove container 1a2b\n");
        assertThat(dryRun.stderr()).isEmpty();
        assertThat(dryRun.exitCode()).isZero();
        Cli.Result both = Cli.in(directory).run("gc", "--dry-run", "--accept", "file");
        assertThat(both.exitCode()).isEqualTo(2);
        assertThat(both.stderr()).hasLineCount(1).contains("--accept", "--dry-run", "give one of them");
    }

    @Test
    @ClearsMachine
    void gcTellsBackendHowLongItWaits() throws Exception {
        Cli cli = withoutSandboxes(List.of(FakeProvider.Patient.class)).forked();
        assertThat(cli.run("gc", "--dry-run").stdout()).contains("patient: may take 8 s\n");
    }

    @Test
    @ClearsMachine
    void gcHasNothingToDoOnCleanMachine() throws Exception {
        Cli.Result result = withoutSandboxes(List.of()).forked().run("gc");
        assertThat(result.stderr()).isEmpty();
        assertThat(result.exitCode()).isZero();
    }

    @Tag("full")
    @Test
    @ClearsMachine
    void engineThatDoesNotAnswerIsNamedAndDelaysNothing() throws Exception {
        Path socket = directory.resolve("docker.sock");
        try (ServerSocketChannel silent = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            silent.bind(UnixDomainSocketAddress.of(socket));
            Cli cli = Cli.in(directory).env("DOCKER_HOST", "unix://" + socket);
            long begun = System.nanoTime();
            Cli.Result gc = cli.run("gc");
            assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(30));
            assertThat(gc.stdout()).contains("docker: the containers at unix://" + socket, "did not answer within 5 s");

            begun = System.nanoTime();
            Cli.Result doctor = cli.run("doctor", "--json");
            assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(30));
            assertThat(doctor.stdout()).contains("the Docker engine at unix://" + socket, "did not answer within");

            Cli.Result exec = cli.run("exec", "--image", "any", "true");
            assertThat(exec.exitCode()).isEqualTo(125);
            assertThat(exec.stderr())
                    .hasLineCount(1)
                    .contains("docker is not available", "unix://" + socket, "did not answer", "restart it")
                    .doesNotContain("auto");
        }
    }

    @Test
    void versionStatesOriginJvmAndPlatform() throws Exception {
        Cli.Result result = Cli.in(directory).run("version");
        assertThat(result.stdout())
                .matches("paddock .*\n  commit    not known: built in a checkout\n  JVM       .*\n  platform  .*\n")
                .contains(Runtime.version().toString(), System.getProperty("java.home"), System.getProperty("os.arch"));
        assertThat(result.exitCode()).isZero();
        assertThat(Cli.in(directory).run("version", "long").stderr()).contains("unexpected argument 'long'");
    }

    @Test
    void launchersTrainingRunsInEveryPlaceThatMayBeChosen() throws Exception {
        Cli.Result result = withoutSandboxes(List.of(FakeProvider.Untidy.class, FakeProvider.Missing.class))
                .mainClass(CdsTraining.class)
                .run();
        assertThat(result.exitCode()).isZero();
        assertThat(result.stderr())
                .contains("trained on host, exit code 0\n", "trained on missing, exit code 125\n")
                .doesNotContain("trained on untidy");
    }

    @Tag("full")
    @Test
    void launchersTrainingForContainersTakesNoEngineAndLeavesNothing() throws Exception {
        String[] training = Cli.in(directory)
                .jvm("-Djava.io.tmpdir=" + directory)
                .words("exec", "--image", "training", "-n", "--", "true")
                .toArray(String[]::new);
        Cli.Result result = Cli.in(directory)
                .env("DOCKER_HOST", "unix:///nonexistent/docker.sock")
                .env("DOCKER_TLS_VERIFY", "1")
                .jvm("-Djava.io.tmpdir=" + directory)
                .mainClass(EngineStub.class)
                .run(training);
        assertThat(result).isEqualTo(new Cli.Result(0, "", ""));
        assertThat(directory).isEmptyDirectory();
    }

    /** The engine starts programs of its own to answer the first two. */
    @Test
    void startInContainerAsksEngineOnce() throws Exception {
        try (EngineStub engine = EngineStub.at(directory.resolve("engine"))) {
            Cli.Result result = Cli.in(directory)
                    .env("DOCKER_HOST", engine.address())
                    .env("DOCKER_TLS_VERIFY", "0")
                    .run("exec", "--image", "training", "-n", "--", "true");
            assertThat(result).isEqualTo(new Cli.Result(0, "", ""));
            assertThat(engine.calls()).containsOnlyOnce("GET /info", "GET /version");
            assertThat(engine.calls().stream().filter("POST /containers/create"::equals))
                    .as("the commands' container, and one whose list of users is read")
                    .hasSize(2);
        }
    }

    @Test
    @EnabledForJreRange(min = JRE.JAVA_24)
    void deniedNativeAccessIsSaidToBeCause() throws Exception {
        Cli.Result denied = Cli.in(directory).withoutNativeAccess().run("doctor", "--json");
        assertThat(denied.stdout())
                .contains("IllegalCallerException", "--enable-native-access=ALL-UNNAMED")
                .doesNotContain("this is no Linux", "glibc 2.34", "newer system");
        assertThat(Cli.in(directory).run("doctor", "--json").stdout())
                .as("the control")
                .doesNotContain("IllegalCallerException");
    }
}
