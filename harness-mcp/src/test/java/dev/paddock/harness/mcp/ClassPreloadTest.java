package dev.paddock.harness.mcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ClassPreloadTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** An answer that is missing, or an error, would leave its classes to the real client. */
    @Test
    void itsClientIsAnsweredInFull() throws Exception {
        ByteArrayOutputStream written = new ByteArrayOutputStream();
        ClassPreload.serve(written);
        List<String> answers = written.toString(StandardCharsets.UTF_8).lines().toList();
        assertThat(answers).hasSize(2);
        ObjectMapper json = new ObjectMapper();
        assertThat(json.readTree(answers.get(0)).at("/result/serverInfo/name").asText())
                .isEqualTo("preload");
        assertThat(json.readTree(answers.get(1))
                        .at("/result/tools/0/annotations/readOnlyHint")
                        .asBoolean())
                .isTrue();
    }

    /** The group has the preload's threads alone: those of another test may be idle in its pool. */
    @Test
    void preloadLeavesNoThread() {
        ThreadGroup group = new ThreadGroup("preload");
        new Thread(group, new ClassPreload(), "paddock-preload").start();
        await("the preload's threads have ended")
                .atMost(PATIENCE)
                .until(() -> names(group).noneMatch(name -> name.startsWith("paddock-")));
    }

    private static Stream<String> names(ThreadGroup group) {
        Thread[] threads = new Thread[1000];
        int count = group.enumerate(threads);
        return Arrays.stream(threads, 0, count).map(Thread::getName);
    }
}
