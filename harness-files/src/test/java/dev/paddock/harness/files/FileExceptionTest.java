package dev.paddock.harness.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paddock.executor.AbortSignal;
import dev.paddock.harness.files.pattern.Glob;
import dev.paddock.harness.files.pattern.PatternException;
import dev.paddock.harness.files.pattern.TimedPattern;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the exceptions that contained file access throws to callers other than tools. */
class FileExceptionTest {
    @TempDir
    Path directory;

    @Test
    void aRefusedPathIsNamed() throws IOException {
        Files.writeString(directory.resolve("inside"), "text");
        try (ContainedFiles files = ContainedFiles.openReadOnly(directory)) {
            assertThat(files.text("inside", 10)).isEqualTo("text");
            assertThatThrownBy(() -> files.text("../outside", 10))
                    .isInstanceOfSatisfying(
                            FileException.class, e -> assertThat(e.path()).isEqualTo("../outside"))
                    .hasMessageStartingWith("../outside is outside the directory");
        }
    }

    @Test
    void aMalformedPatternIsQuoted() {
        assertThatThrownBy(() -> TimedPattern.compile("(", 0, AbortSignal.never()))
                .isInstanceOf(PatternException.class)
                .hasMessageContaining("'('");
        assertThatThrownBy(() -> Glob.compile("[")).isInstanceOf(PatternException.class);
    }
}
