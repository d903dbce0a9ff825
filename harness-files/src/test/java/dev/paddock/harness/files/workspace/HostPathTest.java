package dev.paddock.harness.files.workspace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import dev.paddock.harness.files.access.FileException;
import dev.paddock.harness.files.access.FileException.Reason;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files that another program opens by their host paths. */
@EnabledOnOs({OS.LINUX, OS.MAC})
class HostPathTest extends WorkspaceFilesBench {

    @BeforeEach
    void makeFile() throws IOException {
        put(work, "a/b/f", "inside\n");
        Files.createDirectory(outside.resolve("b"));
        Files.writeString(outside.resolve("f"), SECRET);
        Files.writeString(outside.resolve("b/f"), SECRET);
    }

    @AfterEach
    @Override
    void nothingOutsideHasChanged() throws IOException {
        Files.delete(outside.resolve("b/f"));
        Files.delete(outside.resolve("b"));
        Files.delete(outside.resolve("f"));
        super.nothingOutsideHasChanged();
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void programReceivesPathWithoutLinks() throws IOException {
        link(work.resolve("l"), "a");
        AtomicReference<Path> received = new AtomicReference<>();
        assertThat(files.atHostPath("l/b/f", path -> {
                    received.set(path);
                    return read(path);
                }))
                .contains("inside\n");
        assertThat(received).hasValue(work.resolve("a/b/f"));
    }

    /** The program reads what the link leads to, and the entry is back before it returns. */
    @ParameterizedTest
    @ValueSource(strings = {"a", "a/b", "a/b/f"})
    void resultIsDroppedIfLinkWasOnWay(String swapped) {
        AtomicReference<String> seen = new AtomicReference<>("");
        refused(
                Reason.CHANGED,
                "a/b/f",
                () -> files.atHostPath("a/b/f", path -> {
                    seen.set(readThroughLink(swapped, path));
                    return seen.get();
                }));
        assertThat(seen).as("the control: what the program has read").hasValue(SECRET);
        assertThat(text("a/b/f")).isEqualTo("inside\n");
    }

    private String readThroughLink(String swapped, Path path) {
        Path entry = work.resolve(swapped);
        Path aside = directory.resolve("aside");
        Path target =
                swapped.endsWith("f") ? outside.resolve("f") : swapped.endsWith("b") ? outside.resolve("b") : outside;
        try {
            FileTime modified = Files.getLastModifiedTime(entry.getParent());
            Files.move(entry, aside);
            Files.createSymbolicLink(entry, target);
            String text = read(path);
            Files.delete(entry);
            Files.move(aside, entry);
            Files.setLastModifiedTime(entry.getParent(), modified); // a command can; the ctime it cannot
            return text;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void unrelatedChangesKeepResult() throws IOException {
        put(work, "c/e", "there already\n");
        assertThat(files.atHostPath("a/b/f", path -> {
                    try {
                        Files.writeString(path, "changed\n");
                        return put(work, "c/d", "beside\n");
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                }))
                .isPresent();
    }

    @Test
    void programIsNotCalledForWhatRootsRefuse() throws IOException {
        link(work.resolve("out"), outside.resolve("f").toString());
        put(work, ".env", "secret\n");
        put(data, "f", "data\n");
        reopen(".env");
        assertThat(files.atHostPath("/data/f", path -> fail("called with " + path)))
                .isEmpty();
        assertThatThrownBy(() -> files.atHostPath("out", path -> fail("called with " + path)))
                .isInstanceOf(FileException.class);
        refused(Reason.NOT_READABLE, ".env", () -> files.atHostPath(".env", path -> fail("called with " + path)));
        refused(Reason.NOT_A_FILE, "a", () -> files.atHostPath("a", path -> fail("called with " + path)));
        refused(Reason.NOT_FOUND, "none", () -> files.atHostPath("none", path -> fail("called with " + path)));
    }
}
