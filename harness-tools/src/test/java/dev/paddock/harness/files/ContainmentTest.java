package dev.paddock.harness.files;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.harness.tools.ToolResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/**
 * Runs the containment cases with directories held by descriptors, where the platform supports
 * them.
 */
class ContainmentTest extends ContainmentCases {
    @Override
    FileToolBench open(Path in) throws IOException {
        return FileToolBench.in(in);
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void directoriesAreHeldByDescriptorsOnLinux() throws IOException {
        try (var stream = Files.newDirectoryStream(bench.worktree);
                Directory opened = Directory.open(bench.worktree)) {
            assertThat(stream).isInstanceOf(SecureDirectoryStream.class);
            assertThat(opened).isInstanceOf(SecureDirectory.class);
        }
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void nothingIsReadAfterClosing() throws IOException {
        bench.put("a", "x");
        bench.close();
        assertThat(bench.call("read", "path", "a"))
                .returns(true, ToolResult::isError)
                .returns("read cannot be used any more: the session has ended", ToolResult::text);
    }
}
