package dev.paddock.harness.files;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.executor.AbortSignal;
import dev.paddock.executor.policy.Mount;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.harness.tools.ToolResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.util.List;
import java.util.Optional;
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

    @Test
    @EnabledOnOs(OS.LINUX)
    void directoriesForNestedMountAreMadeWhereNoCommandCanRedirectThem() throws IOException {
        Path outer = Files.createDirectory(directory.resolve("outer"));
        Path inner = Files.createDirectory(outer.resolve("inner"));
        List<Mount> mounts = List.of(
                new Mount(outer.toRealPath(), "/outer", Mount.Access.READ_WRITE),
                new Mount(inner.toRealPath(), "/inner", Mount.Access.READ_WRITE));
        try (ContainedFiles files = FileToolBench.open(new PathMapping(bench.worktree, "/work"), mounts)) {
            Files.move(inner, outer.resolve("moved"));
            Files.createSymbolicLink(inner, bench.outside);
            try (Location where = files.locateForWriting("/inner/new/file")) {
                files.write(where, new byte[1], Optional.empty(), AbortSignal.never());
            }
        }
        assertThat(outer.resolve("moved/new/file")).hasSize(1);
    }
}
