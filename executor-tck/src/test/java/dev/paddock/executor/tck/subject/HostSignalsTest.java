package dev.paddock.executor.tck.subject;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
class HostSignalsTest {
    private static final int THREADS = 8;
    private static final int ROUNDS = 20;

    private Process process;

    /** Runs threads that never stop by themselves. */
    static final class Spinning {
        public static void main(String[] arguments) {
            for (int thread = 0; thread < THREADS; thread++) {
                Thread.ofPlatform().start(() -> {
                    while (true) {
                        Thread.onSpinWait();
                    }
                });
            }
            System.out.println("up");
        }
    }

    @BeforeEach
    void start() throws IOException {
        process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Spinning.class.getName())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        assertThat(process.inputReader().readLine()).isEqualTo("up");
    }

    @AfterEach
    void end() {
        process.destroyForcibly().onExit().join();
    }

    @Test
    void noThreadOfStoppedProcessRuns() throws IOException {
        for (int round = 0; round < ROUNDS; round++) {
            assertThat(HostSignals.send("STOP", process.pid())).isTrue();
            assertThat(states(process.pid())).as("in round %d", round).containsOnly("T");
            assertThat(HostSignals.send("CONT", process.pid())).isTrue();
        }
    }

    @Test
    void processThatHasEndedIsSentNothing() throws IOException {
        end();
        assertThat(HostSignals.send("STOP", process.pid())).isFalse();
    }

    private static Set<String> states(long pid) throws IOException {
        List<Path> threads;
        try (Stream<Path> tasks = Files.list(Path.of("/proc", Long.toString(pid), "task"))) {
            threads = tasks.toList();
        }
        Set<String> states = new HashSet<>();
        for (Path thread : threads) {
            String stat = Files.readString(thread.resolve("stat"));
            states.add(stat.substring(stat.lastIndexOf(')') + 2).substring(0, 1));
        }
        return states;
    }
}
