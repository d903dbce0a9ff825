package dev.paddock.executor.docker.engine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the reading of a file in archives of the real tar. */
class ArchivedFileTest {
    @TempDir
    private Path directory;

    private Optional<String> read(String script, int limit) throws Exception {
        Process shell = new ProcessBuilder("sh", "-c", script)
                .directory(directory.toFile())
                .start();
        try (InputStream archive = shell.getInputStream()) {
            Optional<byte[]> read = ArchivedFile.read(archive, limit);
            archive.transferTo(OutputStream.nullOutputStream());
            assertThat(shell.waitFor()).isZero();
            return read.map(bytes -> new String(bytes, UTF_8));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"ustar", "pax", "gnu", "v7"})
    void contentIsRead(String format) throws Exception {
        assertThat(read("seq 300 >file && tar -c --format=" + format + " file", 2000))
                .hasValueSatisfying(text -> assertThat(text).startsWith("1\n").endsWith("\n300\n"));
    }

    @Test
    void otherThanShortFileIsNotRead() throws Exception {
        assertThat(read("seq 300 >file && tar -c file", 10)).isEmpty();
        assertThat(read("ln -s target link && tar -c link", 10)).isEmpty();
        assertThat(read("mkdir sub && echo a >sub/file && tar -c sub", 10)).isEmpty();
    }
}
