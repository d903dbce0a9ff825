package dev.paddock.executor.docker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.executor.policy.Mount;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.policy.SandboxPolicy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the list of users that commands see in a managed container. */
@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class NamedUserTest {
    private static final String SELF = "id -un; eval echo ~$(id -un)";

    @TempDir
    private Path directory;

    @BeforeEach
    void find() throws Exception {
        TestEngine.withImage(TestEngine.BUSYBOX);
        directory = directory.toRealPath();
    }

    private SandboxPolicy.Builder policy() {
        return SandboxPolicy.builder(new PathMapping(directory, "/work"));
    }

    private static DockerExecutor.Builder builder(SandboxPolicy policy) {
        return DockerExecutor.builder()
                .image(TestEngine.BUSYBOX)
                .pullPolicy(PullPolicy.NEVER)
                .warmSlots(0) // each container runs few commands
                .policy(policy);
    }

    private static String run(DockerExecutor.Builder builder, String script) throws Exception {
        try (DockerExecutor executor = builder.build()) {
            return Runs.of(executor, "/tmp", script).out();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"0:0", "root", "image"})
    void homeOfRootIsCommands(String user) throws Exception {
        assertThat(run(builder(policy().build()).user(user), SELF)).isEqualTo("root\n/home/paddock\n");
    }

    @Test
    void userWhomImageDoesNotKnowHasNameAndHome() throws Exception {
        String others =
                "grep ^root /etc/passwd; ls -l /etc/passwd | cut -c 1-10; { echo x >>/etc/passwd; } 2>/dev/null";
        DockerExecutor.Builder builder = builder(policy().build()).user("12345:12346");
        assertThat(run(builder, SELF + "; " + others + " || echo kept"))
                .isEqualTo("paddock\n/home/paddock\nroot:x:0:0::/root:/bin/sh\n-r--r--r--\nkept\n");
    }

    @Test
    void eachContainerOfOwnKnowsUser() throws Exception {
        try (DockerExecutor executor =
                builder(policy().build()).user("12345:12346").freshPerCommand().build()) {
            for (int count = 0; count < 2; count++) {
                assertThat(Runs.of(executor, "/tmp", SELF).out()).isEqualTo("paddock\n/home/paddock\n");
            }
        }
    }

    @Test
    void listThatUserMountsIsKept() throws Exception {
        Path list = Files.writeString(directory.resolve("users"), "own:x:12345:0::/own:/bin/sh\n");
        SandboxPolicy policy = policy().mount(new Mount(list, "/etc/passwd", Mount.Access.READ_ONLY))
                .build();
        assertThat(run(builder(policy).user("12345:0"), SELF)).isEqualTo("own\n/own\n");
    }

    /** Programs that add a user put another file in the list's place. */
    @Test
    void listInWritableRootCanBeReplaced() throws Exception {
        DockerExecutor.Builder builder = builder(policy().build()).user("0:0").writableRoot(true);
        String replace = "sed s/root:x/admin:x/ /etc/passwd >/etc/new && mv /etc/new /etc/passwd && id -un";
        assertThat(run(builder, replace)).isEqualTo("admin\n");
    }

    @Test
    void imageWithoutListHasNone() throws Exception {
        TestEngine.withImage(TestEngine.SHELL);
        DockerExecutor.Builder builder = builder(policy().build()).image(TestEngine.SHELL);
        assertThat(run(builder, "[ -e /etc/passwd ] || echo none; echo ~")).isEqualTo("none\n/home/paddock\n");
    }
}
