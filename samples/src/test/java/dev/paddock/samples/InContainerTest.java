package dev.paddock.samples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Runs the readme's examples of containers in containers; build/test-images.sh makes the image. */
@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class InContainerTest {
    private static final String IMAGE = "paddock-test/busybox";

    @TempDir
    private Path worktree;

    private record Output(int code, String text) {}

    @BeforeEach
    void writeProject() throws Exception {
        ExampleProject.writeTo(worktree);
    }

    @Test
    void containerThatRunsIsUsedAndStays() throws Exception {
        requireImage();
        Output started = docker(
                "run", "--detach", "--interactive", "--network", "none", "--volume", worktree + ":/work", IMAGE, "cat");
        assertThat(started.code).as(started.text).isZero();
        String id = started.text.strip();
        try {
            InContainer.inOneThatRuns(ExampleProject.model(), worktree, id);
            assertThat(worktree.resolve("leap.sh")).content().contains("400");
            assertThat(docker("inspect", "--format", "{{.State.Running}}", id).text)
                    .isEqualTo("true\n");
        } finally {
            docker("rm", "--force", id);
        }
    }

    @Test
    void containerOfItsOwnIsMadeAndRemoved() throws Exception {
        requireImage();
        InContainer.inOneOfItsOwn(ExampleProject.model(), worktree, IMAGE);
        assertThat(worktree.resolve("leap.sh")).content().contains("400");
        String left = docker("ps", "--all", "--quiet", "--filter", "volume=" + worktree).text;
        assertThat(left).as("containers with this worktree").isEmpty();
    }

    /** Apart from the surrounding method, the page's lines are the sample's. */
    @Test
    void pagesLinesAreSamples() throws IOException {
        String sample = words(Files.readString(Path.of("src/main/java/dev/paddock/samples/InContainer.java")));
        List<String> examples = Pattern.compile("(?ms)^```java\\n(.*?)^```$")
                .matcher(Files.readString(Path.of("..", "docs", "java.md")))
                .results()
                .map(found -> found.group(1))
                .filter(example -> example.contains("DockerExecutor"))
                .toList();
        assertThat(examples).hasSize(2).allSatisfy(example -> assertThat(sample).contains(words(example)));
    }

    private static String words(String code) {
        return code.replaceAll("\\s+", " ").strip();
    }

    private static void requireImage() throws Exception {
        boolean there;
        try {
            there = docker("image", "inspect", IMAGE).code == 0;
        } catch (IOException noDocker) {
            there = false;
        }
        assertThat(there || System.getenv("CI") == null)
                .as("an engine that has " + IMAGE)
                .isTrue();
        assumeTrue(there, "there is no engine that has " + IMAGE);
    }

    private static Output docker(String... words) throws Exception {
        List<String> command = new ArrayList<>(List.of("docker"));
        command.addAll(List.of(words));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Output(process.waitFor(), text);
    }
}
