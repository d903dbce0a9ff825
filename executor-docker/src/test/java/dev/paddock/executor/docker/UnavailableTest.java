package dev.paddock.executor.docker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.paddock.executor.Availability;
import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.SandboxUnavailableException;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.UnsupportedPolicyException;
import dev.paddock.executor.docker.container.ContainerRemoval;
import dev.paddock.executor.docker.engine.Engine;
import dev.paddock.executor.policy.Mount;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.policy.SandboxPolicy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** C14: an unavailable sandbox is reported with the reason and a remedy. */
@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class UnavailableTest {
    @TempDir
    Path directory;

    private static SandboxUnavailableException failure(CommandExecutor executor) {
        try (executor) {
            SandboxUnavailableException fault = catchThrowableOfType(
                    SandboxUnavailableException.class, () -> executor.spawn("true", SpawnOptions.in("/work")));
            assertThat(fault).isNotNull();
            assertThat(fault.backend()).isEqualTo("docker");
            assertThat(fault.remedy()).isNotBlank();
            return fault;
        }
    }

    private DockerExecutor.Builder of(String image) {
        return DockerExecutor.builder().image(image).worktree(directory);
    }

    @Test
    void missingEngineIsReported() {
        SandboxUnavailableException fault =
                failure(of("any").engine("unix:///nonexistent/docker.sock").build());
        assertThat(fault).hasMessageContaining("unix:///nonexistent/docker.sock");
        assertThat(fault.unusable().outlook()).as("definitely down").isEqualTo(Availability.Outlook.TRANSIENT);
    }

    @Test
    void absentImageThatMayNotBePulledIsReported() {
        TestEngine.get();
        SandboxUnavailableException fault =
                failure(of("paddock-test/absent").pullPolicy(PullPolicy.NEVER).build());
        assertThat(fault.reason()).contains("paddock-test/absent", "never");
        assertThat(fault.isTransient()).isFalse();
    }

    @Test
    void imageNameThatEngineRejectsIsReported() {
        TestEngine.get();
        SandboxUnavailableException fault = failure(of("UPPER/case").build());
        assertThat(fault.reason()).contains("'UPPER/case' is not an image name", "must be lowercase");
        assertThat(fault.isTransient()).isFalse();
    }

    @Test
    void addressWithoutSchemeIsRefused() {
        assertThatThrownBy(() -> of("any").engine("/run/docker.sock").build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'/run/docker.sock'");
    }

    @Test
    void failedPullIsReported() {
        TestEngine.get();
        // Nothing listens there: no name is resolved and no packet leaves the machine.
        SandboxUnavailableException fault = failure(of("127.0.0.1:1/absent:1").build());
        assertThat(fault.reason()).contains("127.0.0.1:1/absent:1");
        assertThat(fault.remedy()).contains("docker pull");
    }

    @Test
    void runtimeIsCheckedBeforeAnyPull() {
        TestEngine.get();
        SandboxUnavailableException fault =
                failure(of("127.0.0.1:1/absent:1").runtime("kata-fc").build());
        assertThat(fault.reason()).contains("kata-fc", "runc");
        assertThat(fault.remedy()).contains("daemon.json");
        assertThat(fault.isTransient()).isFalse();
    }

    @Test
    void containerIsNotThere() {
        TestEngine.get();
        assertThat(failure(new DockerExecutor("no-such-container")).reason()).contains("no-such-container");
    }

    @Test
    void containerDoesNotRun() throws Exception {
        Engine engine = TestEngine.withImage(TestEngine.BUSYBOX);
        String id = engine.call(client -> client.createContainerCmd(TestEngine.BUSYBOX)
                .withCmd("true")
                .exec()
                .getId());
        try {
            assertThat(failure(new DockerExecutor(id)).reason()).contains("does not run");
        } finally {
            ContainerRemoval.of(engine, id);
        }
    }

    @Test
    void invalidNamesAndIncompleteBuildersAreRefusedAtOnce() {
        for (String image : List.of("", " ", "-v", "--privileged", "a ")) {
            assertThatThrownBy(() -> DockerExecutor.builder().image(image))
                    .isInstanceOf(IllegalArgumentException.class);
        }
        for (String container : List.of("", "-x", "a/b", "a b", "../x", "a?x=1")) {
            assertThatThrownBy(() -> new DockerExecutor(container)).isInstanceOf(IllegalArgumentException.class);
        }
        for (String user : List.of("", "-1", "a b", "0:0:0", "$USER")) {
            assertThatThrownBy(() -> DockerExecutor.builder().user(user)).isInstanceOf(IllegalArgumentException.class);
        }
        assertThatThrownBy(() -> DockerExecutor.builder().runtime("evil")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> DockerExecutor.builder().build()).hasMessageContaining("image or a container");
        assertThatThrownBy(() -> of("a").container("b").build()).hasMessageContaining("not both");
        assertThatThrownBy(() -> DockerExecutor.builder().image("a").build()).hasMessageContaining("worktree");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "work", "./work", "../work", "/work/..", "/a//b", "/a\0b"})
    void invalidCommandDirectoryIsRefusedAtOnce(String execCwd) {
        assertThatThrownBy(() -> of("a").execCwd(execCwd).build()).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/tmp", "/home/paddock", "/proc"})
    void worktreeOverContainersOwnDirectoriesIsRefusedAtOnce(String execCwd) {
        assertThatThrownBy(() -> of("a").execCwd(execCwd).build())
                .isInstanceOf(UnsupportedPolicyException.class)
                .hasMessageContaining("at '" + execCwd + "'");
    }

    @Test
    void worktreesPathIsKnownBeforeThereIsContainer() throws Exception {
        Path made = Files.createDirectory(directory.resolve("made"));
        try (CommandExecutor executor =
                DockerExecutor.builder().image("a").worktree(made).build()) {
            assertThat(executor.worktree()).contains(new PathMapping(made.toRealPath(), "/work"));
        }
        try (CommandExecutor attached = new DockerExecutor("a")) {
            assertThat(attached.worktree()).isEmpty();
        }
    }

    @Test
    void worktreeThatIsNoDirectoryIsRefusedAtOnce() throws Exception {
        Path file = Files.createFile(directory.resolve("file"));
        for (Path worktree : List.of(file, directory.resolve("absent"))) {
            assertThatThrownBy(() -> DockerExecutor.builder()
                            .image("a")
                            .worktree(worktree)
                            .build())
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(worktree.toString());
        }
    }

    /** A mount over the worktree would show commands another directory. */
    @ParameterizedTest
    @ValueSource(strings = {"/work", "/work/below", "/"})
    void mountOverWorktreeIsRefusedAtOnce(String target) {
        assertThatThrownBy(() -> SandboxPolicy.builder(new PathMapping(directory, "/work"))
                        .mount(new Mount(directory, target, Mount.Access.READ_ONLY))
                        .build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(target);
    }

    @Test
    void providerIsFoundAndAnswers() {
        TestEngine.get();
        DockerProvider provider = new DockerProvider();
        assertThat(java.util.ServiceLoader.load(dev.paddock.executor.ExecutorProvider.class))
                .anyMatch(found -> found instanceof DockerProvider);
        assertThat(provider.probe())
                .isInstanceOfSatisfying(
                        Availability.Usable.class,
                        usable -> assertThat(usable.version()).startsWith("Docker "));
        assertThat(provider.autoPriority(Map.of())).isEqualTo(OptionalInt.empty());
        assertThat(provider.autoPriority(Map.of("image", "a"))).isPresent();
        SandboxPolicy policy =
                SandboxPolicy.builder(new PathMapping(directory, "/work")).build();
        assertThatThrownBy(() -> provider.create(policy, Map.of("image", "a", "privileged", "true")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("privileged");
    }

    @Test
    void observerOfContainerThatIsAttachedToIsRefused() {
        DockerExecutor.Builder attached =
                DockerExecutor.builder().container("some").onConnection(seen -> {});
        assertThatThrownBy(attached::build)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("name an image, not the container 'some', or leave them out");
    }

    @Test
    void containerThatRunsAlreadyTakesNothingThatOnlyNewOneHas() {
        assertThatThrownBy(() -> DockerExecutor.builder()
                        .container("x")
                        .quarantine(Path.of("/quarantine"))
                        .build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the container 'x' runs already, and nothing settles its files: leave the quarantine out,"
                        + " or name an image");
        for (UnaryOperator<DockerExecutor.Builder> ignored : List.<UnaryOperator<DockerExecutor.Builder>>of(
                builder -> builder.runtime("runsc"),
                builder -> builder.options(List.of("--shm-size=1m")),
                builder -> builder.execCwd("/there"),
                builder -> builder.pullPolicy(PullPolicy.NEVER))) {
            DockerExecutor.Builder builder =
                    ignored.apply(DockerExecutor.builder().container("x"));
            assertThatThrownBy(builder::build)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("leave the runtime, the options, the pull policy and execCwd out");
        }
    }
}
