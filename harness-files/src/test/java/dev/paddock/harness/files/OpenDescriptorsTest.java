package dev.paddock.harness.files;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@EnabledOnOs(OS.LINUX)
class OpenDescriptorsTest {
    private static final int THREADS = 4;
    private static final int ROUNDS = 300;

    @TempDir
    private Path directory;

    @BeforeEach
    void useTheRealPath() throws IOException {
        directory = directory.toRealPath();
    }

    @Test
    void descriptorIsThatOfOpenFileWhateverItsPathIsNow() throws IOException {
        Path name = Files.writeString(directory.resolve("name"), "first");
        Path aside = directory.resolve("aside");
        try (SeekableByteChannel open = Files.newByteChannel(name)) {
            OpenDescriptors.Descriptor found = new OpenDescriptors().of(open);
            assertThat(found.path()).isEqualTo(name);
            assertThat(found.links()).isEqualTo(1);
            Files.move(name, aside);
            Files.writeString(name, "second");
            assertThat(found.path()).isEqualTo(aside);
            Files.createLink(directory.resolve("more"), aside);
            assertThat(found.links()).isEqualTo(2);
            Files.delete(aside);
            assertThat(found.path()).as("without this name").isNotEqualTo(aside);
            assertThat(found.links()).isEqualTo(1);
            ByteBuffer content = ByteBuffer.allocate(9);
            assertThat(open.read(content)).as("read from the beginning").isEqualTo("first".length());
        }
    }

    @Test
    void filesThatAreOpenAtOnceAreToldApart() throws IOException {
        OpenDescriptors descriptors = new OpenDescriptors();
        List<SeekableByteChannel> open = new ArrayList<>();
        try {
            for (int number = 0; number < 20; number++) {
                open.add(Files.newByteChannel(Files.writeString(directory.resolve("file" + number), "")));
            }
            for (int round = 0; round < 5; round++) {
                for (int number = 0; number < open.size(); number++) {
                    assertThat(descriptors.of(open.get(number)).path()).isEqualTo(directory.resolve("file" + number));
                }
            }
        } finally {
            for (SeekableByteChannel one : open) {
                one.close();
            }
        }
    }

    /** Meets descriptors that are closed between the opening of their entry and the read. */
    @Test
    void descriptorsThatOtherThreadsCloseMeanwhileDoNotMatter() throws Exception {
        Path name = Files.writeString(directory.resolve("name"), "");
        SeekableByteChannel open = openAboveOthers(name);
        AtomicBoolean over = new AtomicBoolean();
        List<Thread> others = new ArrayList<>();
        for (int number = 0; number < THREADS; number++) {
            others.add(Thread.ofPlatform().start(() -> openAndClose(name, over)));
        }
        try (open) {
            for (int round = 0; round < ROUNDS; round++) {
                assertThat(new OpenDescriptors().of(open).path()).isEqualTo(name);
            }
        } finally {
            over.set(true);
            for (Thread other : others) {
                other.join();
            }
        }
    }

    /** Opens a file whose descriptor is higher than the next ones: the search meets those before it. */
    private static SeekableByteChannel openAboveOthers(Path file) throws IOException {
        List<SeekableByteChannel> lower = new ArrayList<>();
        try {
            for (int number = 0; number < 2 * THREADS; number++) {
                lower.add(Files.newByteChannel(file));
            }
            return Files.newByteChannel(file);
        } finally {
            for (SeekableByteChannel one : lower) {
                one.close();
            }
        }
    }

    private static void openAndClose(Path file, AtomicBoolean over) {
        while (!over.get()) {
            try (SeekableByteChannel one = Files.newByteChannel(file)) {
                one.position(1);
            } catch (IOException fault) {
                throw new UncheckedIOException(fault);
            }
        }
    }
}
