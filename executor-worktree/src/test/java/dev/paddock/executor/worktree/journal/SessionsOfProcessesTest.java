package dev.paddock.executor.worktree.journal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests the table of sessions with several processes, of which each removes the journal whenever it is the last: none
 * removes it while another one opens it.
 */
@Tag("full")
class SessionsOfProcessesTest {
    private static final int PROCESSES = 3;

    /** A sanity check: {@link SessionsTest} shows that a session is in the table once it is open. */
    private static final int ROUNDS = 2_000;

    @TempDir
    private Path temporary;

    public static void main(String[] args) throws IOException {
        Path journal = Path.of(args[0]);
        System.out.println("ready");
        int unused = System.in.read(); // until all are
        for (int round = 0; round < ROUNDS; round++) {
            SessionsTest.openAndRemove(journal);
        }
    }

    @Test
    void noProcessRemovesJournalOfAnother() throws Exception {
        Path journal = temporary.resolve("journals/one");
        List<Process> processes = new ArrayList<>();
        try {
            for (int number = 0; number < PROCESSES; number++) {
                processes.add(start(journal));
            }
            for (Process process : processes) {
                assertThat(process.inputReader().readLine()).isEqualTo("ready");
            }
            for (Process process : processes) {
                process.getOutputStream().close();
            }
            for (Process process : processes) {
                String said = process.inputReader().lines().collect(Collectors.joining("\n"));
                assertThat(process.waitFor()).as(said).isZero();
            }
            assertThat(journal).doesNotExist();
        } finally {
            for (Process process : processes) {
                process.destroyForcibly().onExit().join();
            }
        }
    }

    private static Process start(Path journal) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        SessionsOfProcessesTest.class.getName(),
                        journal.toString())
                .redirectErrorStream(true)
                .start();
    }
}
