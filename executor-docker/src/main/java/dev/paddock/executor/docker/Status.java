package dev.paddock.executor.docker;

import dev.paddock.executor.SandboxLostException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * What the kernel says of a process that is started in a container as commands are.
 *
 * @param fields the lines of {@code /proc/self/status} by their names, without the colon
 */
record Status(Map<String, String> fields) {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private static final List<String> ASK =
            List.of("sh", "-c", "while read -r key value; do echo \"$key $value\"; done </proc/self/status");

    Status {
        fields = Map.copyOf(fields);
    }

    /**
     * Starts one and asks it.
     *
     * @throws SandboxLostException if it cannot be started, or does not answer
     */
    static Status read(Engine engine, Inside inside) {
        Exec exec = Exec.start(engine, inside, ASK);
        try {
            return CompletableFuture.supplyAsync(() -> parse(exec), Thread::startVirtualThread)
                    .get(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException fault) {
            throw new SandboxLostException(
                    Engine.BACKEND, "a process in the container did not say what it may do", fault);
        } catch (InterruptedException interrupt) {
            Thread.currentThread().interrupt();
            throw new SandboxLostException(Engine.BACKEND, "interrupted while the container was looked at", interrupt);
        } finally {
            exec.connection().close();
        }
    }

    private static Status parse(Exec exec) {
        StringBuilder said = new StringBuilder();
        try {
            new Frames(exec.connection().input()).forEach((stream, bytes, length) -> {
                if (stream == 1) {
                    said.append(new String(bytes, 0, length, StandardCharsets.ISO_8859_1));
                }
            });
        } catch (IOException fault) {
            throw new java.io.UncheckedIOException(fault);
        }
        Map<String, String> fields = new HashMap<>();
        said.toString().lines().forEach(line -> {
            int colon = line.indexOf(':');
            if (colon > 0) {
                fields.put(line.substring(0, colon), line.substring(colon + 1).strip());
            }
        });
        return new Status(fields);
    }

    /** It has no capabilities, and gains none. */
    boolean isWithoutPrivileges() {
        return "1".equals(fields.get("NoNewPrivs"))
                && List.of("CapInh", "CapPrm", "CapEff", "CapAmb").stream()
                        .allMatch(set -> fields.getOrDefault(set, "?").matches("0+"));
    }

    boolean isFiltered() {
        return ContainerFilter.ON.equals(fields.get("Seccomp"));
    }
}
