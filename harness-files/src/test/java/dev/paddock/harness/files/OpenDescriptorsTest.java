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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@EnabledOnOs(OS.LINUX)
class OpenDescriptorsTest {
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

    @Test
    void descriptorsThatOtherThreadsCloseMeanwhileDoNotMatter() throws Exception {
        openBesideOthers(500);
    }

    /** As many rounds as always meet a descriptor that is closed between the opening of its entry and the read. */
    @Test
    @Tag("full")
    void descriptorsThatOtherThreadsCloseInMidstDoNotMatter() throws Exception {
        openBesideOthers(3000);
    }

    private void openBesideOthers(int rounds) throws Exception {
        Path name = Files.writeString(directory.resolve("name"), "");
        AtomicBoolean over = new AtomicBoolean();
        List<Thread> others = new ArrayList<>();
        for (int number = 0; number < 4; number++) {
            others.add(Thread.ofPlatform().start(() -> openAndClose(name, over)));
        }
        try (SeekableByteChannel open = Files.newByteChannel(name)) {
            for (int round = 0; round < rounds; round++) {
                assertThat(new OpenDescriptors().of(open).path()).isEqualTo(name);
            }
        } finally {
            over.set(true);
            for (Thread other : others) {
                other.join();
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
