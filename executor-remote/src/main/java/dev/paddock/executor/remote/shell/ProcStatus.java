package dev.paddock.executor.remote.shell;

import dev.paddock.executor.os.io.DaemonThreads;
import dev.paddock.executor.remote.ShellChannel;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The {@code /proc/self/status} of a process that is started as remote commands are.
 *
 * @param fields the lines of {@code /proc/self/status} by their names, without the colon
 */
public record ProcStatus(Map<String, String> fields) {
    /** The value of the field {@code Seccomp} for a process with a filter. */
    public static final String FILTERED = "2";

    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    /** The program that must run behind the channel given to {@link #read}. */
    public static final List<String> COMMAND =
            List.of("sh", "-c", "while read -r key value; do echo \"$key $value\"; done </proc/self/status");

    public ProcStatus {
        fields = Map.copyOf(fields);
    }

    /**
     * Reads the answer of a process that runs {@link #COMMAND}, and closes the channel.
     *
     * @param channel the process's
     * @return its status
     * @throws dev.paddock.executor.SandboxLostException if it does not answer within 10 s
     */
    public static ProcStatus read(ShellChannel channel) {
        try (channel) {
            return CompletableFuture.supplyAsync(
                            () -> parse(channel),
                            task -> DaemonThreads.virtual("paddock-remote-status")
                                    .start(task))
                    .get(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException fault) {
            throw channel.loss("a process did not report its privileges", fault);
        } catch (InterruptedException interrupt) {
            Thread.currentThread().interrupt();
            throw channel.loss("interrupted while its processes were examined", interrupt);
        }
    }

    private static ProcStatus parse(ShellChannel channel) {
        String output;
        try {
            output = channel.readText();
        } catch (IOException fault) {
            throw new UncheckedIOException(fault);
        }
        Map<String, String> fields = new HashMap<>();
        output.lines().forEach(line -> {
            int colon = line.indexOf(':');
            if (colon > 0) {
                fields.put(line.substring(0, colon), line.substring(colon + 1).strip());
            }
        });
        return new ProcStatus(fields);
    }

    /** Returns whether the process has no capabilities and cannot gain any. */
    public boolean isWithoutPrivileges() {
        return "1".equals(fields.get("NoNewPrivs"))
                && List.of("CapInh", "CapPrm", "CapEff", "CapAmb").stream()
                        .allMatch(set -> fields.getOrDefault(set, "?").matches("0+"));
    }

    /** Returns whether the process is under a system-call filter. */
    public boolean isFiltered() {
        return FILTERED.equals(fields.get("Seccomp"));
    }
}
