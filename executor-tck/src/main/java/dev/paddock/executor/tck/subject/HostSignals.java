package dev.paddock.executor.tck.subject;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/**
 * Sends signals to processes of the host, as faults that stop or end a server.
 *
 * @since 0.1
 */
public final class HostSignals {
    /** The thread states in {@code /proc/<pid>/stat} in which a thread no longer executes. */
    private static final String HALTED = "TtZX";

    private HostSignals() {}

    /**
     * Sends a process a signal.
     *
     * <p>SIGSTOP takes effect in each thread only when that thread is scheduled: on a busy machine a server
     * has answered a request 20 ms after SIGSTOP was sent. This method therefore returns from it when all
     * threads have stopped. It does not wait for the effect of any other signal, nor where there is no
     * {@code /proc}.
     *
     * @param name as {@code kill} takes it, without SIG: {@code STOP}
     * @param pid the process
     * @return whether the signal was sent: it is not if the process has ended or belongs to another user, nor
     *     if there is no signal of this name
     * @throws IOException if there is no program {@code kill}
     * @throws InterruptedIOException if this thread is interrupted
     */
    public static boolean send(String name, long pid) throws IOException {
        Process kill = new ProcessBuilder("kill", "-" + name, Long.toString(pid))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            boolean sent = kill.waitFor() == 0;
            if (sent && name.equals("STOP")) {
                Awaitility.await("the process " + pid + " has stopped")
                        .atMost(Duration.ofSeconds(30))
                        .until(() -> hasHalted(pid));
            }
            return sent;
        } catch (InterruptedException interrupt) {
            kill.destroyForcibly();
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while a signal was sent");
        }
    }

    private static boolean hasHalted(long pid) {
        List<Path> threads;
        try (Stream<Path> tasks = Files.list(Path.of("/proc", Long.toString(pid), "task"))) {
            threads = tasks.toList();
        } catch (IOException ended) {
            return true;
        }
        return threads.stream().allMatch(HostSignals::threadHasHalted);
    }

    private static boolean threadHasHalted(Path thread) {
        try {
            String stat = Files.readString(thread.resolve("stat"));
            return HALTED.indexOf(stat.charAt(stat.lastIndexOf(')') + 2)) >= 0;
        } catch (IOException ended) {
            return true;
        }
    }
}
