package dev.paddock.harness.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paddock.executor.AbortSignal;
import dev.paddock.executor.policy.Mount;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.harness.files.access.FileException;
import java.io.IOException;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that no mount opens the environment and memory of the host's processes to file tools. */
@EnabledOnOs(OS.LINUX)
class ProcessDirectoriesTest {
    @TempDir
    Path directory;

    private ContainedFiles over(String source, String target) {
        Mount mount = new Mount(Path.of(source), target, Mount.Access.READ_ONLY);
        return FileToolBench.open(new PathMapping(directory, "/work"), List.of(mount));
    }

    private static void assertRefused(ContainedFiles files, String path) {
        assertThatThrownBy(() -> {
                    try (Location where = files.locate(path);
                            SeekableByteChannel file = files.openFile(where)) {
                        assertThat(file).as("an open file").isNull();
                    }
                })
                .as(path)
                .isInstanceOf(FileException.class)
                .hasMessageContaining("the environment and memory of processes");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/host/proc",
                "/host/proc/self/environ",
                "/host/proc/thread-self/environ",
                "/host/etc/../proc/self/environ",
                "link",
                "tree/self/environ"
            })
    void mountOfRootDoesNotShowProcesses(String path) throws IOException {
        Files.createSymbolicLink(directory.resolve("link"), Path.of("/host/proc/self/environ"));
        Files.createSymbolicLink(directory.resolve("tree"), Path.of("../host/proc"));
        try (ContainedFiles files = over("/", "/host");
                Location control = files.locate("/host/etc/passwd");
                SeekableByteChannel passwd = files.openFile(control)) {
            assertThat(passwd.size()).as("the control: a file of the mount").isPositive();
            assertRefused(files, path);
        }
    }

    @Test
    void mountInProcessFileSystemShowsNothing() {
        try (ContainedFiles whole = over("/proc", "/processes");
                ContainedFiles one = over("/proc/self", "/one");
                ContainedFiles file = over("/proc/self/environ", "/environ")) {
            assertRefused(whole, "/processes/self/environ");
            assertRefused(whole, "/processes");
            assertRefused(one, "/one/environ");
            assertRefused(file, "/environ");
        }
    }

    @Test
    void walkPassesProcessesBy() throws IOException {
        Path data = Files.createDirectory(directory.resolve("data"));
        Files.writeString(data.resolve("file"), "x");
        List<Mount> mounts = List.of(
                new Mount(data, "/data", Mount.Access.READ_WRITE),
                new Mount(Path.of("/proc"), "/data/processes", Mount.Access.READ_ONLY));
        List<String> visited = new ArrayList<>();
        try (ContainedFiles files = FileToolBench.open(new PathMapping(directory, "/work"), mounts);
                Location start = files.locate("/data")) {
            TreeWalk walk = new TreeWalk(files, false, AbortSignal.never(), entry -> visited.add(entry.path()));
            walk.walk(start);
            assertThat(visited).containsExactly("file");
            assertThat(walk.unreadable()).isEqualTo(1);
        }
    }
}
