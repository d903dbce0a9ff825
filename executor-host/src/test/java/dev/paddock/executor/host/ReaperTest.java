package dev.paddock.executor.host;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.os.table.ProcessTable;
import java.io.BufferedReader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests C12: when a JVM is killed, its commands end. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ReaperTest {

    /**
     * The JVM that the test kills: prints the ids of the processes that it has started, then waits.
     */
    static final class Victim {
        private Victim() {}

        public static void main(String[] args) throws Exception {
            HostExecutor executor = args[0].equals("portable") ? Executors.portable() : HostExecutor.create();
            String everyKind = """
                    sleep 1000 & echo $!
                    setsid sh -c 'trap "" TERM HUP; echo $$; while :; do sleep 1000; done' &
                    env -i sleep 1000 & echo $!
                    echo $$; exec env -i /bin/sleep 1000
                    """;
            BufferedReader lines = new BufferedReader(new java.io.InputStreamReader(
                    executor.spawn(everyKind, SpawnOptions.in("/")).stdout(),
                    java.nio.charset.StandardCharsets.US_ASCII));
            for (int count = 0; count < 4; count++) {
                System.out.println(lines.readLine());
            }
            System.in.transferTo(java.io.OutputStream.nullOutputStream());
            Runtime.getRuntime().halt(0);
        }
    }

    /** Runs with the mechanisms that only Linux has, and without them, as on macOS. */
    @ParameterizedTest
    @ValueSource(strings = {"best", "portable"})
    void C12_nothingSurvivesFiveSeconds(String means) throws Exception {
        Process jvm = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Victim.class.getName(),
                        means)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        List<Long> pids = new ArrayList<>();
        try {
            BufferedReader lines = jvm.inputReader();
            for (int count = 0; count < 4; count++) {
                pids.add(Long.parseLong(lines.readLine()));
            }
            assertThat(pids).allMatch(ReaperTest::runs);
        } finally {
            jvm.destroyForcibly().waitFor();
        }
        Awaitility.await("the end of " + pids)
                .atMost(Duration.ofSeconds(30))
                .until(() -> pids.stream().noneMatch(ReaperTest::runs));
    }

    private static boolean runs(long pid) {
        return ProcessTable.ofThisMachine()
                .row(pid)
                .filter(ProcessTable.Row::running)
                .isPresent();
    }
}
