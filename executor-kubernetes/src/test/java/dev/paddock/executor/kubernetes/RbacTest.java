package dev.paddock.executor.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paddock.executor.Availability;
import dev.paddock.executor.RunOptions;
import dev.paddock.executor.SandboxUnavailableException;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.fixtures.SandboxController;
import dev.paddock.fixtures.SandboxController.Behaviour;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.fabric8.kubernetes.api.model.ServiceAccountBuilder;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.api.model.rbac.Role;
import io.fabric8.kubernetes.api.model.rbac.RoleBindingBuilder;
import io.fabric8.kubernetes.api.model.rbac.RoleBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests that the documented Role suffices, and that without a part of it the error names that. */
@Tag("full")
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@NeedsCluster(sandboxes = NeedsCluster.Use.SHARED)
class RbacTest {
    private static final String PODS = "role.yaml";
    private static final String SANDBOXES = "role-sandboxes.yaml";
    private static final String NAME = "paddock-rbac-test";

    @TempDir
    Path directory;

    private KubernetesClient admin;

    /** The account's: the token of the last test's account, which had the same name, may still exist. */
    private String uid;

    @BeforeEach
    void createAccount() throws Exception {
        admin = TestCluster.client();
        ServiceAccount account = new ServiceAccountBuilder()
                .withNewMetadata()
                .withName(NAME)
                .withNamespace(TestCluster.NAMESPACE)
                .endMetadata()
                .build();
        uid = admin.resource(account).create().getMetadata().getUid();
        bind(role(PODS).getRules());
        Object unused = admin.resource(new RoleBindingBuilder()
                        .withNewMetadata()
                        .withName(NAME)
                        .withNamespace(TestCluster.NAMESPACE)
                        .endMetadata()
                        .withNewRoleRef("rbac.authorization.k8s.io", "Role", NAME)
                        .addNewSubject()
                        .withKind("ServiceAccount")
                        .withName(NAME)
                        .withNamespace(TestCluster.NAMESPACE)
                        .endSubject()
                        .build())
                .create();
    }

    @AfterEach
    void removeAccount() {
        Object unused = admin.rbac()
                .roleBindings()
                .inNamespace(TestCluster.NAMESPACE)
                .withName(NAME)
                .delete();
        unused = admin.rbac()
                .roles()
                .inNamespace(TestCluster.NAMESPACE)
                .withName(NAME)
                .delete();
        unused = admin.serviceAccounts()
                .inNamespace(TestCluster.NAMESPACE)
                .withName(NAME)
                .delete();
    }

    private Role role(String name) throws Exception {
        try (InputStream text = Files.newInputStream(Path.of("..", "docs", "kubernetes", name))) {
            return admin.rbac().roles().load(text).item();
        }
    }

    private void bind(List<PolicyRule> rules) {
        Role role = new RoleBuilder()
                .withNewMetadata()
                .withName(NAME)
                .withNamespace(TestCluster.NAMESPACE)
                .endMetadata()
                .withRules(rules)
                .build();
        Object unused = admin.resource(role).createOr(io.fabric8.kubernetes.client.dsl.NonDeletingOperation::update);
    }

    private KubernetesExecutor executor() throws Exception {
        return options().image(TestCluster.BUSYBOX).pullPolicy("Never").build();
    }

    private KubernetesExecutorBuilder options() throws Exception {
        Secret secret = Awaitility.await("the account has a token")
                .atMost(Duration.ofSeconds(20))
                .until(
                        () -> admin.secrets().inNamespace(TestCluster.NAMESPACE).list().getItems().stream()
                                .filter(any -> any.getMetadata().getAnnotations() != null
                                        && uid.equals(any.getMetadata()
                                                .getAnnotations()
                                                .get("kubernetes.io/service-account.uid")))
                                .findFirst()
                                .orElse(null),
                        found -> found != null);
        String token = new String(Base64.getDecoder().decode(secret.getData().get("token")), StandardCharsets.UTF_8);
        Path kubeconfig = directory.resolve("kubeconfig");
        Files.writeString(kubeconfig, """
                apiVersion: v1
                kind: Config
                clusters: [{name: c, cluster: {server: "%s", certificate-authority-data: %s}}]
                users: [{name: u, user: {token: %s}}]
                contexts: [{name: x, context: {cluster: c, user: u, namespace: %s}}]
                current-context: x
                """.formatted(
                        admin.getMasterUrl(), secret.getData().get("ca.crt"), token, TestCluster.NAMESPACE));
        return KubernetesExecutor.builder().kubeconfig(kubeconfig).warmSlots(0);
    }

    private static void requireWorks(KubernetesExecutor executor) throws Exception {
        assertThat(executor.run("echo works", RunOptions.in("/work")).outText()).isEqualTo("works\n");
    }

    @Test
    void documentedRoleSuffices() throws Exception {
        try (KubernetesExecutor executor = executor()) {
            Awaitility.await("the role is in force")
                    .atMost(Duration.ofSeconds(60))
                    .ignoreExceptionsInstanceOf(SandboxUnavailableException.class)
                    .untilAsserted(() -> requireWorks(executor));
        }
    }

    @Test
    void withoutPartOfItErrorNamesThat() throws Exception {
        for (PolicyRule left : role(PODS).getRules()) {
            bindWithout(left, PODS);
            assertNamed(left.getResources().get(0), "role.yaml", this::executor);
        }
    }

    @Test
    void documentedRoleForSandboxesSuffices() throws Exception {
        bind(role(SANDBOXES).getRules());
        try (SandboxController controller = SandboxController.start(TestCluster.kubeconfig(), TestCluster.NAMESPACE)) {
            String template = controller.template(TestCluster.template(), Behaviour.SERVES);
            String name = "kept-" + template;
            try (KubernetesExecutor executor =
                    options().claim(template).claimName(name).build()) {
                Awaitility.await("the role is in force")
                        .atMost(Duration.ofSeconds(60))
                        .ignoreExceptionsInstanceOf(SandboxUnavailableException.class)
                        .untilAsserted(() -> requireWorks(executor));
            }
            Map<String, String> settings = Map.of(
                    "claim",
                    template,
                    "claimName",
                    name,
                    "kubeconfig",
                    directory.resolve("kubeconfig").toString());
            new KubernetesProvider().suspend(settings);
            assertThat(controller.sandboxes(template))
                    .singleElement()
                    .satisfies(sandbox ->
                            assertThat(controller.isSuspended(sandbox)).isTrue());
            new KubernetesProvider().discard(settings);
            assertThat(controller.claims(template)).isEmpty();
        }
    }

    @Test
    void readinessNamesMissingRightToClaim() throws Exception {
        try (SandboxController controller = SandboxController.start(TestCluster.kubeconfig(), TestCluster.NAMESPACE)) {
            String template = controller.template(TestCluster.template(), Behaviour.SERVES);
            KubernetesExecutorBuilder claiming = options().claim(template);
            Awaitility.await("the missing right is named")
                    .atMost(Duration.ofSeconds(60))
                    .untilAsserted(() -> assertThat(claiming.readiness())
                            .isInstanceOfSatisfying(Availability.Unusable.class, unusable -> {
                                assertThat(unusable.reason())
                                        .contains("does not let this account create sandboxclaims");
                                assertThat(unusable.remedy()).contains("role-sandboxes.yaml");
                            }));
            bind(role(SANDBOXES).getRules());
            Awaitility.await("the role is in force")
                    .atMost(Duration.ofSeconds(60))
                    .until(() -> claiming.readiness().isUsable());
            assertThat(controller.claims(template)).isEmpty();
        }
    }

    /** Without the last rule, which is for workspaces, commands run. */
    @Test
    void withoutPartOfRoleForSandboxesErrorNamesThat() throws Exception {
        try (SandboxController controller = SandboxController.start(TestCluster.kubeconfig(), TestCluster.NAMESPACE)) {
            String template = controller.template(TestCluster.template(), Behaviour.SERVES);
            for (PolicyRule left : role(SANDBOXES).getRules().subList(0, 5)) {
                bindWithout(left, SANDBOXES);
                assertNamed(
                        left.getResources().get(0),
                        "role",
                        () -> options().claim(template).build());
            }
            bind(role(SANDBOXES).getRules());
            Awaitility.await("nothing is left of what was refused half-way")
                    .atMost(Duration.ofSeconds(60))
                    .until(() -> controller.pods(template).isEmpty());
        }
    }

    private void bindWithout(PolicyRule left, String file) throws Exception {
        List<PolicyRule> others = new ArrayList<>(role(file).getRules());
        others.remove(left);
        bind(others);
    }

    private static void assertNamed(String missing, String file, Callable<KubernetesExecutor> executors) {
        Awaitility.await("an error names " + missing)
                .atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> {
                    try (KubernetesExecutor executor = executors.call()) {
                        assertThatThrownBy(() -> executor.spawn("true", SpawnOptions.in("/work")))
                                .isInstanceOf(SandboxUnavailableException.class)
                                .hasMessageContaining(missing)
                                .hasMessageContaining(file);
                    }
                });
    }
}
