package dev.paddock.executor.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paddock.executor.AbortController;
import dev.paddock.executor.AbortedException;
import dev.paddock.executor.Guarantee;
import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.RunOptions;
import dev.paddock.executor.SandboxUnavailableException;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.UnsupportedPolicyException;
import dev.paddock.executor.policy.NetworkPolicy;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.policy.ResourceLimits;
import dev.paddock.executor.policy.SandboxPolicy;
import dev.paddock.fixtures.SandboxController;
import dev.paddock.fixtures.SandboxController.Behaviour;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests sandboxes of the cluster's own controller: claims, what may be wrong with them, and what disposal leaves. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@NeedsCluster(sandboxes = NeedsCluster.Use.SHARED)
class SandboxTest {
    private static SandboxController controller;

    @TempDir
    Path directory;

    private Path worktree;

    @BeforeAll
    static void startController() {
        controller = SandboxController.start(TestCluster.kubeconfig(), TestCluster.NAMESPACE);
    }

    @AfterAll
    static void stopController() {
        controller.close();
    }

    @BeforeEach
    void create() throws Exception {
        worktree = Files.createDirectories(directory.resolve("worktree"));
        Files.writeString(worktree.resolve("file"), "here\n");
    }

    private static String template(Behaviour behaviour) {
        return controller.template(TestCluster.template(), behaviour);
    }

    private KubernetesExecutorBuilder options() {
        return KubernetesExecutor.builder()
                .kubeconfig(TestCluster.kubeconfig())
                .namespace(TestCluster.NAMESPACE)
                .quarantine(directory.resolve("quarantine"))
                .warmSlots(0);
    }

    private KubernetesExecutorBuilder claiming(String template) {
        return options().claim(template).worktree(worktree);
    }

    private static String run(KubernetesExecutor executor, String command) throws Exception {
        return executor.run(command, RunOptions.in("/work")).outText();
    }

    private static void assertNothingLeft(String template) {
        assertThat(controller.claims(template)).isEmpty();
        Awaitility.await("the pods are gone")
                .atMost(Duration.ofSeconds(30))
                .until(() -> controller.pods(template).isEmpty());
    }

    @Test
    void claimsSandboxHasWorktreeAndEndsWithExecutor() throws Exception {
        String template = template(Behaviour.SERVES);
        try (KubernetesExecutor executor = claiming(template).build()) {
            assertThat(run(executor, "cat file; echo made >made")).isEqualTo("here\n");
            assertThat(worktree.resolve("made")).content().isEqualTo("made\n");
            assertThat(controller.claims(template)).hasSize(1);
            assertThat(executor.pod())
                    .isEqualTo(controller.pods(template).stream().findFirst());
            assertThat(executor.guarantees())
                    .contains(
                            Guarantee.WRITE_CONFINED,
                            Guarantee.READ_CONFINED,
                            Guarantee.NO_NEW_PRIVILEGES,
                            Guarantee.PROTECTED_PATHS)
                    .doesNotContain(Guarantee.TREE_KILL, Guarantee.DIES_WITH_HOST, Guarantee.NETWORK_OFF);
        }
        assertNothingLeft(template);
    }

    @Test
    void sandboxOfPoolIsTakenWithItsPodOfAnotherName() throws Exception {
        String template = template(Behaviour.NAMES_PODS_OTHERWISE);
        controller.fillPool(template, 1);
        String ready = controller.pods(template).getFirst();
        assertThat(ready).endsWith("-other");
        try (KubernetesExecutor executor = claiming(template).build()) {
            assertThat(run(executor, "cat file")).isEqualTo("here\n");
            assertThat(executor.pod()).contains(ready);
        }
        assertNothingLeft(template);
    }

    @Test
    void templateWithoutPoolIsNamed() {
        String none = controller.absentTemplate();
        assertUnavailable(none, "the template '" + none + "' has no SandboxWarmPool in the namespace 'default'", false);
    }

    @Test
    void claimThatControllerRefusesHasItsReason() {
        assertUnavailable(template(Behaviour.FAILS), "InvalidMetadata: by the controller of the tests", false);
    }

    @Test
    void claimThatIsNeverReadyIsGivenUpInTime() {
        assertUnavailable(
                template(Behaviour.IGNORES),
                Duration.ofMillis(1500),
                "has no sandbox in time: its controller has not reported anything",
                true);
    }

    @Test
    void podThatCannotStartIsNamed() {
        String broken = controller.template(
                TestCluster.template()
                        .replace("docker.io/paddock-test/busybox:latest", "paddock-test/none:none")
                        .replace("IfNotPresent", "Never"),
                Behaviour.SERVES);
        assertUnavailable(broken, "paddock-test/none:none", false);
    }

    private void assertUnavailable(String template, String reason, boolean isTransient) {
        assertUnavailable(template, Duration.ofSeconds(60), reason, isTransient);
    }

    private void assertUnavailable(String template, Duration bound, String reason, boolean isTransient) {
        try (KubernetesExecutor executor =
                claiming(template).startTimeout(bound).build()) {
            assertThatExceptionOfType(SandboxUnavailableException.class)
                    .isThrownBy(() -> executor.spawn("true", SpawnOptions.in("/work")))
                    .satisfies(unavailable -> {
                        assertThat(unavailable.reason()).contains(reason);
                        assertThat(unavailable.isTransient()).isEqualTo(isTransient);
                    });
            assertNothingLeft(template);
        }
    }

    @Tag("full")
    @Test
    void claimThatIsServedLateIsAwaited() throws Exception {
        String template = template(Behaviour.IGNORES);
        try (KubernetesExecutor executor = claiming(template).build()) {
            CompletableFuture<ProcessLike> start =
                    CompletableFuture.supplyAsync(() -> executor.spawn("cat file", SpawnOptions.in("/work")));
            awaitClaim(template);
            assertThat(start).isNotDone();
            controller.behave(template, Behaviour.SERVES);
            assertThat(start.get(60, TimeUnit.SECONDS).stdout().readAllBytes())
                    .asString()
                    .isEqualTo("here\n");
        }
        assertNothingLeft(template);
    }

    private static void awaitClaim(String template) {
        Awaitility.await("the claim is made")
                .atMost(Duration.ofSeconds(30))
                .until(() -> !controller.claims(template).isEmpty());
    }

    @Test
    void abortEndsWaitForClaim() {
        String template = template(Behaviour.IGNORES);
        AbortController abort = new AbortController();
        try (KubernetesExecutor executor = claiming(template).build()) {
            CompletableFuture<ProcessLike> start = CompletableFuture.supplyAsync(() -> executor.spawn(
                    "true", SpawnOptions.builder("/work").signal(abort.signal()).build()));
            awaitClaim(template);
            abort.abort("no longer wanted");
            assertThatThrownBy(start::join).hasCauseInstanceOf(AbortedException.class);
            assertNothingLeft(template);
        }
    }

    private SandboxPolicy limited(long memory) {
        return SandboxPolicy.builder(new PathMapping(worktree, "/work"))
                .network(NetworkPolicy.open())
                .limits(ResourceLimits.none().withMemory(memory))
                .build();
    }

    @Tag("full")
    @Test
    void limitOfPolicyIsComparedWithPods() {
        String template = controller.template(
                TestCluster.template()
                        .replace("          workingDir: /\n", "          resources: {limits: {memory: 64Mi}}\n"),
                Behaviour.SERVES);
        try (KubernetesExecutor executor =
                options().claim(template).policy(limited(64 << 20)).build()) {
            assertThat(executor.guarantees()).contains(Guarantee.MEMORY_LIMIT);
        }
        KubernetesExecutorBuilder lower = options().claim(template).policy(limited(32 << 20));
        assertThatThrownBy(() -> lower.build().dispose())
                .isInstanceOf(UnsupportedPolicyException.class)
                .hasMessageContaining("the pod's limit is 67108864 bytes");
        assertNothingLeft(template);
    }

    @Test
    void networkThatIsOffIsRefused() {
        SandboxPolicy off =
                limited(64 << 20).toBuilder().network(NetworkPolicy.off()).build();
        assertThatThrownBy(() -> options().claim("any").policy(off).build())
                .isInstanceOf(UnsupportedPolicyException.class)
                .hasMessageContaining("the pod has the network of its template");
    }

    @Tag("full")
    @Test
    void existingSandboxIsLeftAsItIs() throws Exception {
        String template = template(Behaviour.SERVES);
        String sandbox = controller.sandbox(template);
        try (KubernetesExecutor executor = options().sandbox(sandbox).build()) {
            assertThat(run(executor, "echo works")).isEqualTo("works\n");
            assertThat(executor.worktree()).isEmpty();
            assertThat(executor.guarantees()).doesNotContain(Guarantee.PRIVATE_TMP);
        }
        assertThat(controller.pods(template)).hasSize(1);
        controller.suspend(sandbox);
        Awaitility.await("the sandbox is suspended")
                .atMost(Duration.ofSeconds(30))
                .until(() -> controller.pods(template).isEmpty());
        try (KubernetesExecutor executor = options().sandbox(sandbox).build()) {
            assertThatThrownBy(() -> executor.spawn("true", SpawnOptions.in("/work")))
                    .isInstanceOf(SandboxUnavailableException.class)
                    .hasMessageContaining("is suspended")
                    .hasMessageContaining("kubectl patch sandbox " + sandbox + " --namespace default --type merge")
                    .hasMessageContaining("{\"spec\":{\"operatingMode\":\"Running\"}}");
        }
        assertThat(controller.isSuspended(sandbox)).isTrue();
    }

    @Tag("full")
    @Test
    void keptClaimIsSuspendedResumedAndDiscarded() throws Exception {
        String template = template(Behaviour.SERVES);
        String name = "kept-" + template;
        Map<String, String> settings = Map.of("claim", template, "claimName", name);
        try (KubernetesExecutor executor = claiming(template).claimName(name).build()) {
            assertThat(run(executor, "echo made >made; cat file")).isEqualTo("here\n");
        }
        assertThat(controller.pods(template)).as("after disposal").hasSize(1);
        new KubernetesProvider().suspend(settings);
        Awaitility.await("the sandbox is suspended") // a suspension waits 5 s at most
                .atMost(Duration.ofSeconds(30))
                .until(() -> controller.pods(template).isEmpty());
        assertThat(controller.sandboxes(template)).hasSize(1);
        Files.delete(worktree.resolve("made"));
        try (KubernetesExecutor executor = claiming(template).claimName(name).build()) {
            assertThat(run(executor, "ls")).isEqualTo("file\n");
        }
        try (KubernetesExecutor executor = claiming(template).claimName(name).build()) {
            Files.delete(worktree.resolve("file"));
            assertThat(run(executor, "ls")).as("in a pod that has run since").isEmpty();
        }
        new KubernetesProvider().discard(settings);
        assertNothingLeft(template);
    }

    @Test
    void claimOfAnotherTemplateIsNotTaken() {
        String template = template(Behaviour.SERVES);
        String name = "kept-" + template;
        try (KubernetesExecutor executor =
                        claiming(template).claimName(name).eager().build();
                KubernetesExecutor other = claiming("another").claimName(name).build()) {
            assertThat(executor.pod()).isPresent();
            assertThatThrownBy(() -> other.spawn("true", SpawnOptions.in("/work")))
                    .isInstanceOf(SandboxUnavailableException.class)
                    .hasMessageContaining("is not one of Paddock's for the template 'another'");
        }
        new KubernetesProvider().discard(Map.of("claim", template, "claimName", name));
        assertNothingLeft(template);
    }

    @Test
    void optionsThatExcludeEachOtherAreRefused() {
        assertRefused(options().claim("one").image("two"), "the image 'two', the claim 'one'");
        assertRefused(options().sandbox("one").pod("two"), "the pod 'two', the sandbox 'one'");
        assertRefused(options(), "needs an image, a pod, a claim or a sandbox");
        assertRefused(claiming("one").runtimeClass("gvisor"), "the template of a sandbox specifies its pod");
        assertRefused(claiming("one").remoteDirectory("/else"), "/else");
    }

    private static void assertRefused(KubernetesExecutorBuilder options, String reason) {
        assertThatThrownBy(options::build)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(reason);
    }

    @Tag("full")
    @Test
    void readinessNamesPool() {
        String template = template(Behaviour.SERVES);
        controller.fillPool(template, 1);
        assertThat(new KubernetesProvider()
                        .probe(
                                limited(64 << 20).toBuilder()
                                        .limits(ResourceLimits.none())
                                        .build(),
                                Map.of(
                                        "claim",
                                        template,
                                        "quarantine",
                                        directory.resolve("quarantine").toString()))
                        .toString())
                .contains(
                        "agent-sandbox v1beta1, 1 of 1 sandboxes ready in the pool of the template '" + template + "'");
        assertThat(controller.claims(template)).isEmpty();
    }
}
