package dev.paddock.executor.os.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.paddock.executor.path.PathBytes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Copies files that a command can change meanwhile. */
class FileContentsTest {
    private static final int WHOLE = 1_000_000;

    @TempDir
    Path directory;

    /** A command may extend a file to any size once its size has been read. */
    @ParameterizedTest
    @ValueSource(ints = {0, 10, 64 << 10, 100_000, WHOLE})
    void nothingBehindSizeThatWasReadIsCopied(int size) throws IOException {
        assumeTrue(Kernel.isAvailable(), "the kernel's calls cannot be made here");
        byte[] content = new byte[WHOLE];
        Arrays.fill(content, (byte) 'x');
        Path file = Files.write(directory.resolve("file"), content);
        Path copy = directory.resolve("copy");
        Kernel kernel = Kernel.create();
        int from = kernel.openFile(Kernel.NO_DIRECTORY, PathBytes.of(file));
        try {
            int to = kernel.createFile(Kernel.NO_DIRECTORY, PathBytes.of(copy));
            try {
                new FileContents(kernel).copy(from, to, size);
            } finally {
                kernel.close(to);
            }
        } finally {
            kernel.close(from);
        }

        assertThat(copy).hasBinaryContent(Arrays.copyOf(content, size));
    }
}
