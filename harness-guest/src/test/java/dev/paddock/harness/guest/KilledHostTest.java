package dev.paddock.harness.guest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.executor.upkeep.SweepMode;
import dev.paddock.harness.workspace.owned.OwnedDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A JVM that is killed while it has guests over a shadow. */
@Tag("full")
@Timeout(value = 180, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class KilledHostTest {
    @TempDir
    Path directory;

    @Test
    void nextStartAndSweepRemoveWhatItLeftAndNothingOfLivingOne() throws Exception {
        Path root = Files.createDirectory(directory.toRealPath().resolve("project"));
        Path temporary = Files.createDirectory(directory.toRealPath().resolve("temporary"));
        Files.writeString(root.resolve("a.txt"), "read");
        Process killed = start(root, temporary);
        Process living = killed;
        Process next = killed;
        try {
            List<String> ofKilled = left(temporary);
            assertThat(ofKilled).hasSize(2);
            killed.destroyForcibly().waitFor();
            assertThat(left(temporary))
                    .as("nothing is removed before anybody looks")
                    .isEqualTo(ofKilled);

            living = start(root, temporary);
            List<String> ofLiving = left(temporary);
            assertThat(ofLiving).hasSize(2).doesNotContainAnyElementsOf(ofKilled);

            next = start(root, temporary);
            assertThat(left(temporary)).hasSize(4).containsAll(ofLiving);
            next.destroyForcibly().waitFor();
            assertThat(OwnedDirectory.sweep(temporary, SweepMode.REMOVE))
                    .hasSize(2)
                    .allMatch(phrase -> phrase.startsWith("removed the directory " + temporary));
            assertThat(left(temporary)).isEqualTo(ofLiving);

            living.getOutputStream().close();
            assertThat(living.waitFor()).isZero();
            assertThat(left(temporary)).isEmpty();
        } finally {
            for (Process each : List.of(killed, living, next)) {
                each.destroyForcibly().waitFor();
            }
        }
    }

    private static Process start(Path root, Path temporary) throws IOException {
        Process process = GuestProgram.start(root, temporary);
        assertThat(process.inputReader().readLine()).isEqualTo("read");
        return process;
    }

    private static List<String> left(Path temporary) throws IOException {
        try (Stream<Path> all = Files.list(temporary)) {
            return all.map(path -> path.getFileName().toString())
                    .filter(name -> name.startsWith("paddock-guest") || name.startsWith("agent-container-shadow-"))
                    .sorted()
                    .toList();
        }
    }
}
