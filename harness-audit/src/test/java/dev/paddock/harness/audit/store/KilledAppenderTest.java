package dev.paddock.harness.audit.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two JVMs create and extend one store, and are killed while they append. */
class KilledAppenderTest {
    @TempDir
    Path directory;

    /** SQLite's own tests stop it at each of its steps; here a kill meets the steps between the driver and the store. */
    @Test
    @Tag("full")
    void nothingIsHalfWrittenAndNoAppendedRecordIsLost() throws Exception {
        killAppenders(3);
    }

    @Test
    void otherProcessContinuesAfterKill() throws Exception {
        Process killed = AppenderProgram.start(directory);
        Process other = AppenderProgram.start(directory);
        try {
            assertThat(killed.inputReader().readLine()).isNotNull();
            assertThat(other.inputReader().readLine()).isNotNull();
            AppenderProgram.drain(other);
            // By the handle: destroying the process itself would close its output.
            killed.toHandle().destroyForcibly();
            killed.waitFor();
            try (AuditStore store = AuditStore.open(directory)) {
                assertThat(store.tail(store.head().seq()).next(Duration.ofSeconds(60)))
                        .as("a record that the other process has appended since")
                        .isPresent();
                assertThat(store.verify().firstBreak()).isEmpty();
                assertThat(store.verify().records()).isGreaterThan(lines(killed.inputReader()) + 2);
            }
        } finally {
            killed.destroyForcibly().waitFor();
            other.destroyForcibly().waitFor();
        }
    }

    private void killAppenders(int rounds) throws Exception {
        long appended = 0;
        for (int round = 0; round < rounds; round++) {
            List<Process> programs = new ArrayList<>();
            try {
                programs.add(AppenderProgram.start(directory));
                programs.add(AppenderProgram.start(directory));
                for (Process program : programs) {
                    String unused = program.inputReader().readLine();
                }
            } finally {
                // By the handle: destroying the process itself would close its output.
                programs.forEach(program -> program.toHandle().destroyForcibly());
            }
            for (Process program : programs) {
                program.waitFor();
                appended += 1 + lines(program.inputReader());
            }
            try (AuditStore store = AuditStore.open(directory)) {
                Verification verified = store.verify();
                assertThat(verified.firstBreak()).isEmpty();
                // Each may have been killed between its append and its line.
                assertThat(verified.records()).isBetween(appended, appended + 2L * (round + 1));
            }
        }
    }

    private static long lines(BufferedReader reader) throws IOException {
        long lines = 0;
        // A line that was cut by the kill has its record, too.
        while (reader.readLine() != null) {
            lines++;
        }
        return lines;
    }
}
