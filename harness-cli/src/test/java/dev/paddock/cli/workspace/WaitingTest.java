package dev.paddock.cli.workspace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.cli.terminal.Console;
import dev.paddock.cli.terminal.InvocationContext;
import dev.paddock.cli.terminal.ProcessControl;
import dev.paddock.cli.terminal.Streams;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Tests what a copy says that takes long: a restore, a branch, a close or an open of many files (path 29). */
class WaitingTest {
    private final ByteArrayOutputStream stderr = new ByteArrayOutputStream();
    private final Console console = new Console(new InvocationContext(
            Map.of(),
            Path.of(""),
            Optional.empty(),
            new Streams(InputStream.nullInputStream(), OutputStream.nullOutputStream(), stderr, StandardCharsets.UTF_8),
            ProcessControl.NONE));

    @Test
    void copiesThatTakeMoreThanSecondSayWhatTheyDo() throws Exception {
        String made = Waiting.during("restoring the files", console, () -> {
            Awaitility.await("the progress").until(() -> said().contains("restoring the files"));
            return "made";
        });
        assertThat(made).isEqualTo("made");
        assertThat(said()).contains("1 s");
    }

    private String said() {
        return stderr.toString(StandardCharsets.UTF_8);
    }
}
