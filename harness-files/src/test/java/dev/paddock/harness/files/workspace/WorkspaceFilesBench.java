package dev.paddock.harness.files.workspace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.paddock.executor.policy.Mount;
import dev.paddock.executor.policy.ProtectedPaths;
import dev.paddock.harness.files.ContainedFiles;
import dev.paddock.harness.files.OpenedFiles;
import dev.paddock.harness.files.access.AccessRules;
import dev.paddock.harness.files.access.FileException;
import dev.paddock.harness.files.access.FileRoot;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.BiFunction;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/**
 * Gives each test the roots {@code /work}, {@code /data}, {@code /data/in/nested} and the read-only
 * {@code /kept}, the file {@code /data/one}, and a directory outside with a secret, which must be
 * as it was after each test.
 */
abstract class WorkspaceFilesBench {
    static final String SECRET = "SECRET\n";

    @TempDir
    Path directory;

    Path work;
    Path data;
    Path nested;
    Path kept;
    Path outside;
    WorkspaceFiles files;
    private BiFunction<List<FileRoot>, AccessRules, ContainedFiles> opener = OpenedFiles::byDescriptor;

    @BeforeEach
    void open() throws IOException {
        directory = directory.toRealPath();
        work = Files.createDirectory(directory.resolve("host-work"));
        data = Files.createDirectory(directory.resolve("host-data"));
        nested = Files.createDirectory(directory.resolve("host-nested"));
        kept = Files.createDirectory(directory.resolve("host-kept"));
        outside = Files.createDirectory(directory.resolve("outside"));
        Files.writeString(outside.resolve("secret"), SECRET);
        Files.writeString(directory.resolve("host-one"), "one\n");
        files = opened();
    }

    /** Uses paths that are checked in place of descriptors. */
    void byPath() {
        opener = OpenedFiles::byPath;
        reopen();
    }

    void reopen(String... denyRead) {
        files.close();
        files = opened(denyRead);
    }

    private WorkspaceFiles opened(String... denyRead) {
        List<FileRoot> roots = List.of(
                new FileRoot("/work", work, Mount.Access.READ_WRITE),
                new FileRoot("/data", data, Mount.Access.READ_WRITE),
                new FileRoot("/data/in/nested", nested, Mount.Access.READ_WRITE),
                new FileRoot("/data/one", directory.resolve("host-one"), Mount.Access.READ_WRITE),
                new FileRoot("/kept", kept, Mount.Access.READ_ONLY));
        return new WorkspaceFiles(opener.apply(roots, AccessRules.of(ProtectedPaths.standard(), List.of(denyRead))));
    }

    @AfterEach
    void nothingOutsideHasChanged() throws IOException {
        files.close();
        try (var entries = Files.list(outside)) {
            assertThat(entries).containsExactly(outside.resolve("secret"));
        }
        assertThat(outside.resolve("secret")).hasContent(SECRET);
    }

    static Path put(Path root, String path, String content) throws IOException {
        Path file = root.resolve(path);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, content);
    }

    static void link(Path at, String target) throws IOException {
        Files.createSymbolicLink(at, Path.of(target));
    }

    String text(String path) {
        return new String(files.read(path, 1 << 20), StandardCharsets.UTF_8);
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    List<String> paths(String directoryPath) {
        return files.list(directoryPath).stream().map(Entry::path).toList();
    }

    /** Asserts that a call fails for a reason, with a message that names the path and no host path. */
    FileException refused(FileException.Reason reason, String named, ThrowingCallable call) {
        FileException e = catchThrowableOfType(FileException.class, call);
        assertThat(e).as("a refusal of %s", named).isNotNull();
        assertThat(e.reason()).as(e.getMessage()).isEqualTo(reason);
        assertThat(e).hasMessageContaining(named).hasMessageNotContaining("SECRET");
        assertThat(String.valueOf(e.getMessage()).replace(named, ""))
                .as("the message, but for the path that was given")
                .doesNotContain("host-");
        return e;
    }
}
