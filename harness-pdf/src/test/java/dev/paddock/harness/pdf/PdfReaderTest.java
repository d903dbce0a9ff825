package dev.paddock.harness.pdf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paddock.executor.AbortController;
import dev.paddock.executor.AbortSignal;
import dev.paddock.executor.AbortedException;
import dev.paddock.executor.host.HostExecutor;
import dev.paddock.harness.Toolbox;
import dev.paddock.harness.tools.ToolResult;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PdfReaderTest {
    /** With more time than users have: what is slow here is the machine. */
    private final PdfReader reader = PdfReader.within(Duration.ofMinutes(5));

    /** Each JVM has ended when its call has returned or thrown. */
    @AfterEach
    void noJvmIsLeft() {
        assertThat(ProcessHandle.current().children().filter(ProcessHandle::isAlive))
                .isEmpty();
    }

    private String read(byte[] pdf, int first, int last) throws IOException {
        return reader.read(new ByteArrayInputStream(pdf), first, last, AbortSignal.never());
    }

    /** PDFBox keeps a list of the machine's fonts, in the home by default. */
    @Test
    void pagesAreShownWithTheirNumbersByJvmThatWritesIntoItsOwnDirectoryAlone() throws IOException {
        Path cache = Path.of(System.getProperty("user.home"), ".pdfbox.cache");
        boolean wasThere = Files.exists(cache);
        List<String> arguments = new ArrayList<>();
        InputStream observing = new ByteArrayInputStream(TestPdf.of("one", "two", "three")) {
            @Override
            public synchronized int read(byte[] bytes, int offset, int length) {
                ProcessHandle.current()
                        .children()
                        .flatMap(jvm -> Stream.of(jvm.info().arguments().orElseThrow()))
                        .forEach(arguments::add);
                return super.read(bytes, offset, length);
            }
        };

        assertThat(reader.read(observing, 2, 9, AbortSignal.never()))
                .isEqualTo("[Page 2 of 3]\ntwo\n[Page 3 of 3]\nthree\n");

        String home = arguments.stream()
                .filter(argument -> argument.startsWith("-Duser.home="))
                .map(argument -> argument.substring(argument.indexOf('=') + 1))
                .findFirst()
                .orElseThrow();
        assertThat(arguments).contains("-Dpdfbox.fontcache=" + home, "-Djava.io.tmpdir=" + home);
        assertThat(Path.of(home)).isAbsolute().doesNotExist();
        assertThat(Files.exists(cache)).isEqualTo(wasThere);
    }

    @Test
    void otherFilesAreNotRead() throws IOException {
        assertThat(reader.reads(Arrays.copyOf(TestPdf.of("one"), 100))).isTrue();
        assertThat(reader.reads("PDF".getBytes(StandardCharsets.UTF_8))).isFalse();
        assertThat(reader.reads(new byte[0])).isFalse();
    }

    @Test
    void refusalsNameReason() throws IOException {
        byte[] secret = TestPdf.protectedBy("secret", "one");
        assertThatThrownBy(() -> read(secret, 1, 1)).hasMessage("it is protected by a password");
        byte[] cut = Arrays.copyOf(TestPdf.of("one"), 60);
        assertThatThrownBy(() -> read(cut, 1, 1))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("it is damaged: ");
        assertThatThrownBy(() -> read(cut, 2, 1)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void documentWhoseFormsMultiplyIsEnded() {
        PdfReader brief = PdfReader.within(Duration.ofSeconds(2));

        assertThatThrownBy(() -> brief.read(new ByteArrayInputStream(TestPdf.nested()), 1, 1, AbortSignal.never()))
                .isInstanceOf(IOException.class)
                .hasMessage("its pages take longer than 2 s to read");
    }

    @Test
    void bombEndsOtherJvmAlone() throws IOException {
        byte[] bomb = TestPdf.bomb(300);

        assertThat(bomb.length).isLessThan(1 << 20);
        assertThatThrownBy(() -> read(bomb, 1, 1))
                .isInstanceOf(IOException.class)
                .hasMessage("its pages take more memory than 256 MiB");
    }

    @Test
    void documentThatIsTooLargeIsRefused() {
        InputStream endless = new InputStream() {
            @Override
            public int read() {
                return '%';
            }
        };

        assertThatThrownBy(() -> reader.read(endless, 1, 1, AbortSignal.never()))
                .hasMessage("it is larger than 64 MiB");
    }

    @Test
    void abortEndsOtherJvm() {
        AbortController controller = new AbortController();
        InputStream aborting = new ByteArrayInputStream(new byte[100]) {
            @Override
            public synchronized int read(byte[] bytes, int offset, int length) {
                controller.abort("enough");
                return super.read(bytes, offset, length);
            }
        };

        assertThatThrownBy(() -> reader.read(aborting, 1, 1, controller.signal()))
                .isInstanceOf(AbortedException.class);
    }

    @Test
    void modelReadsPages(@TempDir Path directory) throws IOException {
        Files.write(directory.resolve("a.pdf"), TestPdf.of("one", "two"));
        Files.writeString(directory.resolve("a.txt"), "text");
        try (Toolbox tools = Toolbox.builder()
                .cwd(directory)
                .executor(HostExecutor.create())
                .documents(reader)
                .build()) {
            assertThat(call(tools, "{\"path\": \"a.pdf\", \"pages\": \"2\"}")).contains("[Page 2 of 2]", "two");
            assertThat(call(tools, "{\"path\": \"a.pdf\", \"pages\": \"3-4\"}"))
                    .isEqualTo("a.pdf: page 3 is past the end: it has 2");
            assertThat(call(tools, "{\"path\": \"a.pdf\", \"pages\": \"2-1\"}")).contains("the lower number first");
            assertThat(call(tools, "{\"path\": \"a.txt\"}")).contains("text");
        }
    }

    private static String call(Toolbox tools, String arguments) {
        ToolResult result = tools.call("read", arguments, AbortSignal.never());
        return result.text();
    }
}
