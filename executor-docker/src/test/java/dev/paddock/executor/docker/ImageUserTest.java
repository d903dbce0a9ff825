package dev.paddock.executor.docker;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests commands that run as the user of an image. */
@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ImageUserTest {
    @TempDir
    private Path directory;

    @BeforeEach
    void find() throws Exception {
        TestEngine.withImage(TestEngine.DEBIAN);
        directory = directory.toRealPath();
    }

    /** Commands must not end the main process of the container, with which their sandbox would end. */
    @ParameterizedTest
    @CsvSource({"root, 0:0", "1234:4321, 1234:4321", "nobody, 65534:65534", "65533, 65533:0"})
    void commandsRunAsUserOfImageAndCannotEndContainer(String configured, String user) throws Exception {
        String image = docker("container=$(docker create " + TestEngine.DEBIAN + " sh) && docker commit --change 'USER "
                + configured + "' $container && docker rm $container >&2");
        try (DockerExecutor executor = DockerExecutor.builder()
                .image(image)
                .pullPolicy(PullPolicy.NEVER)
                .user("image")
                .worktree(directory)
                .build()) {
            assertThat(Runs.of(executor, "/tmp", "echo $(id -u):$(id -g); echo ok >~/x && cat ~/x")
                            .out())
                    .isEqualTo(user + "\nok\n");
            Runs.of(executor, "/tmp", "echo kept >file; kill -9 -1");
            assertThat(Runs.of(executor, "/tmp", "cat file").out()).isEqualTo("kept\n");
        } finally {
            docker("docker rmi " + image + " >&2");
        }
    }

    private static String docker(String commands) throws Exception {
        Process shell = new ProcessBuilder("sh", "-c", commands)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        String out = new String(shell.getInputStream().readAllBytes(), UTF_8).strip();
        assertThat(shell.waitFor()).as(commands).isZero();
        return out;
    }
}
