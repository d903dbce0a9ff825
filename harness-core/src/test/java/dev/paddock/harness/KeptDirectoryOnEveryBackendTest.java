package dev.paddock.harness;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests the directory that lasts from command to command on every backend. */
@Tag("full")
class KeptDirectoryOnEveryBackendTest extends SharedExecutorTest {

    @Test
    void nextCommandStartsWhereLastOneEnded() throws IOException {
        Files.createDirectories(worktree.resolve("a b/c"));
        AgentSession session = open(builder(script("")).keepDirectory(true));
        String first = backend.mapping(worktree).commandPath();
        assertThat(run(session, "cd 'a b' && echo one && echo two >&2"))
                .isEqualTo("one\ntwo\n\n[The next command starts in " + first + "/a b.]");
        assertThat(run(session, "cd c; pwd")).startsWith(first + "/a b/c\n");
        assertThat(run(session, "cd /; echo")).contains("the next one starts in " + first + "/a b/c.");
        assertThat(run(session, "pwd")).startsWith(first + "/a b/c\n");
    }
}
