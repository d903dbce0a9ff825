package dev.paddock.harness.bindings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paddock.executor.AbortSignal;
import dev.paddock.executor.UnsupportedPolicyException;
import dev.paddock.harness.bindings.BindingException.Reason;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests which variables and files commands can see. */
class ExecSecretsTest extends ExecBench {
    /** Commands receive the variable NAME of the file, as the program says. */
    private ContainerOptions.Builder naming(ExecPolicy policy) {
        return container(policy)
                .environment(EnvOptions.standard().including("NAME", "no-shell", "UID", "PATH", "*_KEY"));
    }

    @Test
    void commandHasPublicVariablesAndNoSecretUnlessPolicySaysSo() {
        ExecRequest env = ExecRequest.of("env");
        try (AgentContainer container = naming(ExecPolicy.anyProgram()).build()) {
            assertThat(container
                            .exec()
                            .run(env.env(Map.of("OWN", "1", "UID_OF", "own")))
                            .stdout())
                    .contains("NAME=open", "OWN=1", "PATH=/usr")
                    .doesNotContain(CANARY, "no-shell", "/evil");
            assertThat(container
                            .exec()
                            .run(env.envKeys(List.of("NAME", "UNKNOWN")).env(Map.of("NAME", "explicit")))
                            .stdout())
                    .contains("NAME=explicit")
                    .doesNotContain("open", "UNKNOWN");
            assertThat(container.exec().run(env.envKeys(List.of())).stdout()).doesNotContain("open");
            assertThat(container.exec().run(env.envKeys(List.of("API_KEY"))).stdout())
                    .doesNotContain(CANARY);
            assertThat(refused(() -> container.exec().run(env.withSecrets())).reason())
                    .isEqualTo(Reason.DENIED);
            assertThat(refused(() -> container.exec().run(env.env(Map.of("PATH", "/x"))))
                            .reason())
                    .isEqualTo(Reason.INVALID);
            assertThat(refused(() -> container.exec().run(env.envKeys(List.of("PATH"))))
                            .reason())
                    .isEqualTo(Reason.INVALID);
        }
        try (AgentContainer container =
                naming(ExecPolicy.anyProgram().withSecrets()).build()) {
            assertThat(container.exec().run(env.withSecrets()).stdout()).contains("API_KEY=" + CANARY);
            assertThat(container.exec().run(env).stdout()).doesNotContain(CANARY);
            assertThat(container
                            .exec()
                            .run(env.envKeys(List.of("API_KEY")).withSecrets())
                            .stdout())
                    .contains("API_KEY=" + CANARY)
                    .doesNotContain("open");
            assertThat(container
                            .exec()
                            .run(env.envKeys(List.of("NAME")).withSecrets())
                            .stdout())
                    .contains("NAME=open")
                    .doesNotContain(CANARY);
            // A guest that has asked SECRETS can pass the value on; the record does not.
            assertThat(container
                            .exec()
                            .run(ExecRequest.of("echo", "it is", CANARY))
                            .stdout())
                    .contains(CANARY);
        }
        assertThat(records).noneMatch(record -> record.toJson().contains(CANARY));
    }

    /** The author of a project's file would choose the servers to which its commands send the user's credentials. */
    @Test
    void commandHasOfFileWhatIsHarmlessOrWhatProgramIncludes() throws Exception {
        Files.writeString(
                root.resolve(".env"),
                "LANG=C\nNODE_ENV=test\nFORCE_COLOR=1\nAPP=file\nhttp_proxy=file\nNPM_CONFIG_REGISTRY=file\nHOME=file\n"
                        + "LD_PRELOAD=file.so\nLD_API_KEY=file\nAPI_KEY=file");
        EnvOptions standard = EnvOptions.standard();
        ExecRequest env = ExecRequest.of("env");
        for (ExecPolicy policy : List.of(ExecPolicy.anyProgram(), ExecPolicy.only(List.of("env")))) {
            try (AgentContainer container = container(policy.withSecrets()).build()) {
                assertThat(container.exec().run(env.withSecrets()).stdout().lines())
                        .contains("LANG=C", "NODE_ENV=test", "FORCE_COLOR=1", "API_KEY=file")
                        .noneMatch(line -> line.matches("(APP|http_proxy|NPM_CONFIG_REGISTRY|HOME|LD_.*)=file.*"));
                assertThat(container.env().get("http_proxy")).contains("file");
                assertThat(refused(() -> container.exec().run(env.envKeys(List.of("http_proxy")))))
                        .hasMessageContaining("the variable http_proxy of file:.env")
                        .extracting(BindingException::reason)
                        .isEqualTo(Reason.DENIED);
            }
            EnvOptions included = standard.including("APP", "http_proxy", "LD_*");
            try (AgentContainer container =
                    container(policy.withSecrets()).environment(included).build()) {
                assertThat(container.exec().run(env.withSecrets()).stdout().lines())
                        .contains("APP=file", "http_proxy=file")
                        .noneMatch(line -> line.startsWith("LD_"));
            }
            EnvOptions inCode = standard.from(
                    EnvSource.file(".env"), EnvSource.inline(Map.of("APP", "code", "http_proxy", "code")));
            try (AgentContainer container =
                    container(policy).environment(inCode).build()) {
                assertThat(container.exec().run(env).stdout().lines())
                        .contains("APP=code", "http_proxy=code")
                        .noneMatch(line -> line.startsWith("NPM_CONFIG_REGISTRY"));
            }
        }
    }

    @Test
    void commandReadsNoFileThatWorkspaceHides() throws Exception {
        Files.writeString(root.resolve("id.pem"), CANARY);
        Files.createSymbolicLink(root.resolve("link"), Path.of(".env"));
        try (AgentContainer container = container(ExecPolicy.anyProgram().withShell())
                .denyRead(List.of("*.pem"))
                .build()) {
            ExecResult result = container
                    .exec()
                    .shell(
                            ExecRequest.of(
                                    "cat .env link id.pem sub/file.txt; grep -r canary .; mv .env x; cp id.pem y; cat x y"),
                            AbortSignal.never());
            assertThat(result.stdout()).contains("text");
            assertThat(result.stdout() + result.stderr()).doesNotContain(CANARY);
        }
        assertThat(root.resolve(".env")).content().contains(CANARY);
    }

    /** Landlock grants a directory with all that is in it, and hiding is never left out in silence. */
    @Test
    void whereNoFileCanBeHiddenNoCommandRunsAndReasonIsSaid() throws Exception {
        Files.delete(root.resolve(".env"));
        for (String backend : List.of("landlock", "host")) {
            try (AgentContainer container =
                    container(ExecPolicy.anyProgram()).backend(backend).build()) {
                assertThatThrownBy(() -> container.exec().run(ExecRequest.of("touch", "ran")))
                        .isInstanceOf(UnsupportedPolicyException.class)
                        .hasMessageContaining(backend)
                        .hasMessageContaining("hide the files .env, .env.*");
                assertThat(container.workspace().readText("sub/file.txt")).isEqualTo("text\n");
            }
        }
        assertThat(root.resolve("ran")).doesNotExist();
        assertThat(events()).contains("exec run error");
    }
}
