package dev.paddock.executor.remote.shell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the functions of the shell scripts that run in the container, each by itself. */
@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ScriptTest {
    private static Process daemon;

    @TempDir
    Path directory;

    @BeforeAll
    static void startDaemon() throws Exception {
        // The kernel dates an entry of /proc at its first lookup, and anew after it has forgotten it: not while it
        // is somebody's working directory.
        daemon = new ProcessBuilder("sh", "-c", "cd /proc/$$ && exec sleep 600").start();
        Path entry = Path.of("/proc/" + daemon.pid());
        Awaitility.await("the daemon is in its own entry")
                .atMost(Duration.ofSeconds(30))
                .until(() -> Files.readSymbolicLink(entry.resolve("cwd")).equals(entry));
        FileTime seen = Files.getLastModifiedTime(entry);
        // A shell may compare whole seconds.
        Awaitility.await("the next second")
                .atMost(Duration.ofSeconds(30))
                .until(() -> Instant.now().getEpochSecond() > seen.toInstant().getEpochSecond());
    }

    @AfterAll
    static void endDaemon() throws Exception {
        daemon.destroyForcibly().waitFor();
    }

    /** C8, C9: a process may exit between opening and reading its file in {@code /proc}. */
    @ParameterizedTest
    @ValueSource(strings = {"bash", "dash", "busybox sh"})
    void readThatFailsEndsLoop(String shell) throws Exception {
        requireInstalled(shell);
        // A directory can be opened, but not read.
        Files.createDirectory(directory.resolve("stat"));
        Files.createDirectory(directory.resolve("environ"));
        String unreadable = "'../" + directory + "'";

        assertThat(output(
                        shell,
                        definitions(Script.CONTROL, "echo \"control"),
                        "k=old; alive " + unreadable + "; marked " + unreadable + " id"))
                .isEqualTo("ended\n");
        assertThat(output(
                        shell,
                        definitions(Script.SLOT, "echo \"slot"),
                        "__p_id=id __p_a=old; __p_alive " + unreadable + "; __p_marked " + unreadable))
                .isEqualTo("ended\n");
    }

    /**
     * C8, C9: what hung on the remote system's first process before a command need not be examined at its end or
     * killing, but a later process with the same id has to be.
     */
    @ParameterizedTest
    @ValueSource(strings = {"bash", "dash", "busybox sh"})
    void onlyListedProcessIsOlder(String shell) throws Exception {
        requireInstalled(shell);
        assertThat(output(shell, definitions(Script.SLOT, "echo \"slot"), """
                        sleep 60 & __p_there=" %1$d $! "
                        __p_older %1$d && echo daemon
                        __p_older $! || echo another
                        __p_there=
                        __p_older %1$d || echo unlisted
                        kill -KILL $!""".formatted(daemon.pid())))
                .isEqualTo("daemon\nanother\nunlisted\nended\n");
        // This shell is the slot, too.
        assertThat(output(shell, definitions(Script.CONTROL, "echo \"control"), """
                        exec 5</proc/$$
                        sleep 60 & eval "there_$$=' %1$d $! '"
                        older %1$d $$ && echo daemon
                        older $! $$ || echo another
                        forget $$
                        older %1$d $$ || echo unlisted
                        kill -KILL $!""".formatted(daemon.pid())))
                .isEqualTo("daemon\nanother\nunlisted\nended\n");
    }

    private static void requireInstalled(String shell) throws Exception {
        String program = shell.split(" ", -1)[0];
        assumeTrue(new ProcessBuilder("which", program).start().waitFor() == 0, program + " is not installed");
    }

    private static String definitions(byte[] script, String firstAct) {
        String text = new String(script, StandardCharsets.UTF_8);
        return text.substring(0, text.indexOf(firstAct));
    }

    private static String output(String shell, String definitions, String calls) throws Exception {
        Process process = new ProcessBuilder((shell + " -s").split(" ", -1)).start();
        try (var input = process.outputWriter(StandardCharsets.UTF_8)) {
            input.write(definitions + calls + "; echo ended\n");
        }
        if (!process.waitFor(30, TimeUnit.SECONDS)) {
            process.destroyForcibly().waitFor();
            return "it does not end";
        }
        return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
}
