package dev.paddock.harness.files;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.harness.tools.ToolResult;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Gives each test of a file tool a worktree with the tools. */
abstract class FileToolTest {

    @TempDir
    Path directory;

    FileToolBench bench;

    @BeforeEach
    void open() throws IOException {
        bench = FileToolBench.in(directory);
    }

    @AfterEach
    void close() {
        bench.close();
    }

    static void assertRefused(ToolResult result, String words) {
        assertThat(result.text()).contains(words);
        assertThat(result.isError()).isTrue();
    }
}
