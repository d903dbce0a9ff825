package dev.paddock.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.paddock.fixtures.ClusterUse;
import dev.paddock.fixtures.SandboxController;
import dev.paddock.fixtures.SandboxController.Behaviour;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the commands with {@code --executor kubernetes}, in the cluster of the Kubernetes executor's tests. */
class KubernetesCommandTest {
    private static final String KUBECONFIG = System.getenv().getOrDefault("PADDOCK_TEST_KUBECONFIG", "");
    private static final String IMAGE = "docker.io/paddock-test/busybox:latest";

    private static Optional<ClusterUse> use = Optional.empty();

    @TempDir
    private Path directory;

    @BeforeAll
    static void requireCluster() throws IOException {
        boolean isThere = Files.isReadable(Path.of(KUBECONFIG)) && !KUBECONFIG.isEmpty();
        if (System.getenv("CI") == null) {
            assumeTrue(isThere, "these tests take a cluster, which PADDOCK_TEST_KUBECONFIG names");
        }
        assertThat(isThere).as("PADDOCK_TEST_KUBECONFIG names a cluster").isTrue();
        use = ClusterUse.begin(Path.of(KUBECONFIG));
    }

    @AfterAll
    static void leaveCluster() throws IOException {
        if (use.isPresent()) {
            use.get().close();
        }
    }

    private Cli cli() {
        return Cli.in(directory).env("KUBECONFIG", KUBECONFIG);
    }

    private Process start(String command, String... words) throws Exception {
        List<String> line = new ArrayList<>(List.of(command, "--executor", "kubernetes", "--setting", "pull=Never"));
        line.addAll(List.of(words));
        return cli().start(line.toArray(String[]::new));
    }

    private Cli.Result run(String command, String... words) throws Exception {
        Process process = start(command, words);
        process.getOutputStream().close();
        return Cli.finish(process);
    }

    /** Calls the program in the tests' JVM, which builds its client of the cluster once. */
    private Cli.Result call(String command, String... words) throws Exception {
        List<String> line =
                new ArrayList<>(List.of(command, "--executor", "kubernetes", "--setting", "kubeconfig=" + KUBECONFIG));
        line.addAll(List.of(words));
        return Cli.in(directory).run(line.toArray(String[]::new));
    }

    /** Asks again where the program's bound on the cluster's answer was too short for a busy machine. */
    private List<String> pods() throws Exception {
        Cli.Result left = await("the pods that are left")
                .atMost(Cli.PATIENCE)
                .pollInSameThread()
                .until(
                        () -> cli().run("gc", "--dry-run"),
                        answer -> !(answer.stdout() + answer.stderr()).contains("did not answer in time"));
        assertThat(left.exitCode()).as("%s", left).isZero();
        return left.stdout()
                .lines()
                .filter(line -> line.startsWith("kubernetes:"))
                .toList();
    }

    @Test
    void commandBuildsWorktreeInPodAndItsChangesComeBack() throws Exception {
        Files.writeString(directory.resolve("source"), "here");

        Process process = start(
                "exec", "--image", IMAGE, "--network", "open", "-c", "pwd; cat; cp source built; echo err >&2; exit 3");
        process.getOutputStream().write("in\n".getBytes(StandardCharsets.US_ASCII));
        Cli.Result result = Cli.finish(process);

        assertThat(result.stdout()).isEqualTo("/work\nin\n");
        assertThat(result.stderr()).endsWith("err\n");
        assertThat(result.exitCode()).isEqualTo(3);
        assertThat(directory.resolve("built")).hasContent("here");
        assertThat(pods()).isEmpty();
    }

    @Tag("full")
    @Test
    void workspaceKeepsItsFilesHereAndRunsCommandsInPods(@TempDir Path state) throws Exception {
        Cli workspaces = cli().env("XDG_STATE_HOME", state.toString());
        Files.writeString(directory.resolve("source"), "here");
        Cli.Result opened = workspaces.run(
                "workspace",
                "open",
                "--copy",
                directory.toString(),
                "--kind",
                "kubernetes",
                "--image",
                IMAGE,
                "--network",
                "open",
                "--setting",
                "pull=Never");
        assertThat(opened.exitCode()).as(opened.stderr()).isZero();
        String id = opened.stdout().strip();

        assertThat(workspaces
                        .run("workspace", "exec", id, "-n", "-c", "pwd; cp source made")
                        .stdout())
                .isEqualTo("/workspace\n");
        assertThat(workspaces
                        .run("workspace", "exec", id, "-n", "-c", "cat made")
                        .stdout())
                .isEqualTo("here");

        assertThat(workspaces.run("workspace", "close", id).exitCode()).isZero();
        assertThat(directory.resolve("made")).doesNotExist();
        assertThat(pods()).isEmpty();
    }

    @Test
    void withNetworkOffNothingStartsWhereClusterDoesNotEnforceIt() throws Exception {
        Cli.Result result = run("exec", "--image", IMAGE, "--", "touch", "ran");

        assertThat(result.stderr()).contains("cannot keep the network off").doesNotContain("\tat ");
        assertThat(result.exitCode()).isEqualTo(125);
        assertThat(directory.resolve("ran")).doesNotExist();
        assertThat(pods()).isEmpty();
    }

    @Tag("full")
    @Test
    void doctorRunsCommandInPod() throws Exception {
        Cli.Result result = call("doctor", "--setting", "pull=Never", "--image", IMAGE, "--network", "open");

        assertThat(result.stdout())
                .contains("backend        ok      kubernetes")
                .contains("runs in /work");
        assertThat(result.exitCode()).isZero();
    }

    @Test
    void imageOrPodIsRequired() throws Exception {
        assertThat(call("exec", "--network", "open", "--", "true").stderr())
                .startsWith("paddock: the kubernetes executor needs an image, a pod, a claim or a sandbox: name one");
        Cli.Result both = call("exec", "--image", IMAGE, "--pod", "box", "--", "true");
        assertThat(both.stderr()).startsWith("paddock: --image creates what --pod names: give one of them");
        assertThat(both.exitCode()).isEqualTo(2);
    }

    private static SandboxController controller() {
        return SandboxController.start(Path.of(KUBECONFIG), "default");
    }

    private static String template() throws IOException {
        return Files.readString(Path.of("..", "docs", "kubernetes", "template.yaml"));
    }

    @Test
    void claimedSandboxBuildsWorktreeAndNothingIsLeft() throws Exception {
        Files.writeString(directory.resolve("source"), "here");
        try (SandboxController controller = controller()) {
            String template = controller.template(template(), Behaviour.SERVES);
            Cli.Result result =
                    call("exec", "--claim", template, "--network", "open", "-n", "-c", "pwd; cp source built; exit 3");
            assertThat(result.stdout()).as(result.stderr()).isEqualTo("/work\n");
            assertThat(result.exitCode()).isEqualTo(3);
            assertThat(directory.resolve("built")).hasContent("here");
            assertThat(controller.claims(template)).isEmpty();

            String none = controller.absentTemplate();
            Cli.Result absent = call("exec", "--claim", none, "--network", "open", "--", "true");
            assertThat(absent.stderr()).contains("the template '" + none + "' has no SandboxWarmPool");
            assertThat(absent.exitCode()).isEqualTo(125);
        }
    }

    @Tag("full")
    @Test
    void doctorReportsPoolAndRunsCommandInClaimedSandbox() throws Exception {
        try (SandboxController controller = controller()) {
            String template = controller.template(template(), Behaviour.SERVES);
            controller.fillPool(template, 1);
            Cli.Result result = call("doctor", "--claim", template, "--network", "open");
            assertThat(result.stdout().replaceAll("\\s+", " "))
                    .as(result.stderr())
                    .contains("agent-sandbox v1beta1")
                    .contains("sandboxes ready in the pool of the template '" + template + "'")
                    .contains("runs in /work");
            assertThat(result.exitCode()).isZero();
            assertThat(controller.claims(template)).isEmpty();
        }
    }

    @Test
    void workspaceKeepsItsSandboxSuspendedBetweenCommands(@TempDir Path state, @TempDir Path volume) throws Exception {
        Files.setPosixFilePermissions(volume, PosixFilePermissions.fromString("rwxrwxrwx"));
        Cli workspaces = cli().env("XDG_STATE_HOME", state.toString());
        try (SandboxController controller = controller()) {
            String template = controller.template(controller.withVolume(template(), volume, "/keep"), Behaviour.SERVES);
            Cli.Result opened = workspaces.run(
                    "workspace", "open", "--kind", "kubernetes", "--claim", template, "--network", "open");
            assertThat(opened.exitCode()).as(opened.stderr()).isZero();
            String id = opened.stdout().strip();
            assertSuspended(controller, template);

            Cli.Result first =
                    workspaces.run("workspace", "exec", id, "-n", "-c", "pwd; echo here >file; echo there >/keep/file");
            assertThat(first.stdout()).as(first.stderr()).isEqualTo("/workspace\n");
            assertSuspended(controller, template);
            assertThat(workspaces
                            .run("workspace", "exec", id, "-n", "-c", "cat file /keep/file")
                            .stdout())
                    .isEqualTo("here\nthere\n");

            assertThat(workspaces.run("workspace", "close", id).exitCode()).isZero();
            assertThat(controller.claims(template)).isEmpty();
        }
    }

    private static void assertSuspended(SandboxController controller, String template) {
        assertThat(controller.pods(template)).as("between commands").isEmpty();
        assertThat(controller.sandboxes(template))
                .singleElement()
                .satisfies(
                        sandbox -> assertThat(controller.isSuspended(sandbox)).isTrue());
    }

    @Test
    void contextAndNamespaceThatAreNotThereAreNamed() throws Exception {
        assertThat(run("exec", "--image", IMAGE, "--network", "open", "--context", "other", "--", "true")
                        .stderr())
                .contains("the kubeconfig has no context 'other'");
        assertThat(run("exec", "--image", IMAGE, "--network", "open", "--namespace", "nowhere", "--", "true")
                        .stderr())
                .contains("the namespace 'nowhere'")
                .doesNotContain("\tat ");
        assertThat(run("exec", "--pod", "nobody", "--network", "open", "--", "true")
                        .stderr())
                .contains("the pod 'nobody' in the namespace 'default' does not exist");
    }
}
