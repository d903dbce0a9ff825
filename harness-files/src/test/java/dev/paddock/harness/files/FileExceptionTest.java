package dev.paddock.harness.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paddock.executor.AbortSignal;
import dev.paddock.harness.files.access.AccessRules;
import dev.paddock.harness.files.access.FileException;
import dev.paddock.harness.files.access.FileRoot;
import dev.paddock.harness.files.access.PatternException;
import dev.paddock.harness.files.content.TimedPattern;
import dev.paddock.harness.files.pattern.Patterns;
import dev.paddock.harness.files.workspace.WorkspaceFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the exceptions that contained file access throws to callers other than tools. */
class FileExceptionTest {
    @TempDir
    Path directory;

    @Test
    void refusedPathIsNamed() throws IOException {
        Files.writeString(directory.resolve("inside"), "text");
        try (WorkspaceFiles files =
                WorkspaceFiles.open(List.of(FileRoot.readOnly(directory)), AccessRules.standard())) {
            assertThat(files.read("inside", 10)).asString().isEqualTo("text");
            assertThatThrownBy(() -> files.read("../outside", 10))
                    .isInstanceOfSatisfying(
                            FileException.class, e -> assertThat(e.path()).isEqualTo("../outside"))
                    .hasMessageStartingWith("../outside is outside the directory");
        }
    }

    @Test
    void malformedPatternIsQuoted() {
        assertThatThrownBy(() -> TimedPattern.compile("(", 0, AbortSignal.never()))
                .isInstanceOf(PatternException.class)
                .hasMessageContaining("'('");
        assertThatThrownBy(() -> Patterns.glob("[")).isInstanceOf(PatternException.class);
    }
}
