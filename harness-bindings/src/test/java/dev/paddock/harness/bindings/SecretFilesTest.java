package dev.paddock.harness.bindings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paddock.executor.AbortSignal;
import dev.paddock.executor.policy.Mount;
import dev.paddock.harness.files.access.FileException;
import dev.paddock.harness.files.workspace.GrepQuery;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Files with secrets, sought by names that their owner did not think of, by files and commands. */
@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SecretFilesTest {
    private static final String CANARY = "canary-4711";
    private static final String VARIABLES = "OPEN=visible\nAPI_KEY=" + CANARY + "\n";

    @TempDir
    Path directory;

    private Path root = Path.of("/");

    @BeforeEach
    void make() throws Exception {
        root = Files.createDirectory(directory.toRealPath().resolve("project"));
        Files.createDirectory(root.resolve("config"));
        Files.writeString(root.resolve("config/other.txt"), "readable");
    }

    private ContainerOptions.Builder container() {
        return AgentContainer.builder(root)
                .backend("bwrap")
                .exec(ExecPolicy.anyProgram().withShell());
    }

    private static String output(AgentContainer container, String script) {
        ExecResult result = container.exec().shell(ExecRequest.of(script), AbortSignal.never());
        return result.stdout() + result.stderr();
    }

    /** Asserts that neither files nor commands give the secret by these names, and that others are readable. */
    private static void assertHidden(AgentContainer container, String... paths) {
        assertThat(container.secrets().get("API_KEY")).contains(CANARY);
        for (String path : paths) {
            assertThatThrownBy(() -> container.workspace().read(path))
                    .as(path)
                    .isInstanceOfSatisfying(
                            FileException.class,
                            denied -> assertThat(denied.reason()).isEqualTo(FileException.Reason.NOT_READABLE));
            String commandPath = path.startsWith("/") ? path : AgentContainer.WORKTREE + "/" + path;
            assertThat(output(container, "cat '" + commandPath + "' config/other.txt"))
                    .as(path)
                    .contains("readable")
                    .doesNotContain(CANARY);
        }
        assertThat(container
                        .workspace()
                        .grep(GrepQuery.text(CANARY), AbortSignal.never())
                        .matches())
                .isEmpty();
        assertThat(output(container, "grep -r canary /workspace /tmp /settings /again /proc/self/environ 2>/dev/null"))
                .doesNotContain(CANARY);
    }

    @Test
    void fileBehindLinkIsHiddenByItsOwnName() throws Exception {
        Files.writeString(root.resolve("config/shared"), VARIABLES);
        Files.createSymbolicLink(root.resolve("config/middle"), Path.of("shared"));
        Files.createSymbolicLink(root.resolve(".env"), Path.of("config/middle"));
        try (AgentContainer container = container().build()) {
            assertThat(container.workspace().readText(".env")).isEqualTo("OPEN=\"visible\"");
            assertHidden(container, "config/shared", "config/middle");
        }
    }

    @Test
    void fileIsHiddenByEveryNameThatMountGivesIt() throws Exception {
        Files.writeString(root.resolve("config/app.vars"), VARIABLES);
        Files.writeString(root.resolve(".env"), VARIABLES);
        try (AgentContainer container = container()
                .environment(EnvOptions.standard().from(EnvSource.file("config/app.vars")))
                .mount("/settings", root.resolve("config"), Mount.Access.READ_WRITE)
                .mount("/again", root.resolve("config"), Mount.Access.READ_ONLY)
                .build()) {
            assertHidden(container, "/settings/app.vars", "/again/app.vars", "config/../config/app.vars");
            assertThat(output(container, "cat /settings/other.txt /again/other.txt"))
                    .isEqualTo("readablereadable");
        }
    }

    @Test
    void nameWithCharactersOfGlobIsNameAlone() throws Exception {
        Files.writeString(root.resolve("a[1]{b}*.vars"), VARIABLES);
        Files.writeString(root.resolve("a1b.vars"), "another");
        Files.createSymbolicLink(root.resolve("link"), Path.of("a[1]{b}*.vars"));
        try (AgentContainer container = container()
                .environment(EnvOptions.standard().from(EnvSource.file("a[1]{b}*.vars")))
                .build()) {
            assertThat(container.workspace().readText("a[1]{b}*.vars")).isEqualTo("OPEN=\"visible\"");
            assertHidden(container, "link", "config/../a[1]{b}*.vars");
            assertThat(container.workspace().readText("a1b.vars")).isEqualTo("another");
        }
    }

    @Test
    void directoryAboveHiddenFileKeepsItsName() throws Exception {
        Files.createDirectories(root.resolve("config/private/deep"));
        Files.writeString(root.resolve("config/private/deep/app.vars"), VARIABLES);
        Files.writeString(root.resolve("config/private/denied.txt"), CANARY);
        try (AgentContainer container = container()
                .environment(EnvOptions.standard().from(EnvSource.file("config/private/deep/app.vars")))
                .denyRead(List.of("config/private/*.txt"))
                .build()) {
            for (String parent : List.of("config", "config/private", "config/private/deep")) {
                assertThat(output(container, "mv " + parent + " moved; mkdir x; mv -T " + parent + " x; grep -r '' ."))
                        .contains("readable")
                        .doesNotContain(CANARY);
            }
            // Where nothing is hidden by a path, nothing is fixed.
            assertThat(output(container, "mkdir a a/b && mv a/b c && rmdir a c"))
                    .isEmpty();
            assertHidden(container, "config/private/denied.txt", "config/private/../private/deep/app.vars");
        }
    }
}
