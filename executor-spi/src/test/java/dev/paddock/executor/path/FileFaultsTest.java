package dev.paddock.executor.path;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the reasons of real faults: each names the path once, and no class. */
class FileFaultsTest {
    @TempDir
    private Path directory;

    @Test
    void pathAloneIsNoReason() throws Exception {
        Path file = Files.createFile(directory.resolve("file"));
        Path absent = directory.resolve("absent");
        assertThat(reason(() -> Files.readString(absent))).isEqualTo("'" + absent + "' does not exist");
        assertThat(reason(() -> Files.createFile(file))).isEqualTo("'" + file + "' exists already");
        assertThat(reason(() -> Files.createDirectories(file))).isEqualTo("'" + file + "' exists already");
        assertThat(reason(() -> Files.newDirectoryStream(file))).isEqualTo("'" + file + "' is no directory");
        assertThat(reason(() -> Files.readSymbolicLink(file))).isEqualTo("'" + file + "' is no link");
        assertThat(reason(() -> Files.delete(directory))).isEqualTo("the directory '" + directory + "' is not empty");
        assertThat(FileFaults.reason(new AccessDeniedException("/etc/shadow")))
                .isEqualTo("no permission for '/etc/shadow'");
    }

    @Test
    void ofTwoFilesBothAreNamed() throws Exception {
        Path file = Files.createFile(directory.resolve("file"));
        Path target = directory.resolve("absent/file");
        assertThat(reason(() -> Files.move(file, target, StandardCopyOption.ATOMIC_MOVE)))
                .isEqualTo("'" + file + "' or '" + target + "' does not exist");
    }

    @Test
    void wrapperHasReasonOfItsCause() {
        assertThat(FileFaults.reason(new UncheckedIOException(new NoSuchFileException("/absent"))))
                .isEqualTo("'/absent' does not exist");
        assertThat(FileFaults.reason(new UncheckedIOException("the log is lost", new NoSuchFileException("/absent"))))
                .isEqualTo("the log is lost");
    }

    @Test
    void reasonThatIsGivenStays() throws Exception {
        Path file = Files.createFile(directory.resolve("file"));
        Path below = file.resolve("below");
        assertThat(reason(() -> Files.readString(below))).isEqualTo(below + ": Not a directory");
        Path loop = Files.createSymbolicLink(directory.resolve("loop"), Path.of("loop"));
        assertThat(reason(() -> loop.toRealPath(new LinkOption[0]))).startsWith(loop + ": Too many levels");
        assertThat(FileFaults.reason(new ConnectException("Connection refused")))
                .isEqualTo("Connection refused");
    }

    @Test
    void withoutAnyTextClassIsNamed() {
        assertThat(FileFaults.reason(new EOFException())).isEqualTo("EOFException");
        assertThat(FileFaults.reason(new IOException(" "))).isEqualTo("IOException");
        assertThat(FileFaults.reason(new FileSystemException(null))).isEqualTo("FileSystemException");
    }

    private static String reason(ThrowingCallable call) {
        return FileFaults.reason(catchThrowableOfType(IOException.class, call));
    }
}
