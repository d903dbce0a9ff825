package dev.paddock.executor.docker.container;

import com.fasterxml.jackson.databind.JsonNode;
import dev.paddock.executor.docker.engine.Engine;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * An engine's report about itself and its machine.
 *
 * @param version the engine's; like the next two, empty if not reported
 * @param architecture the machine's, as in {@code uname -m}
 * @param kernel the release of the machine's kernel
 * @param security the engine's security options, such as {@code name=seccomp,profile=default}
 * @param limits the limits that it can enforce
 * @param runtimes the names of its runtimes; empty if not reported
 */
public record EngineInfo(
        String version,
        String architecture,
        String kernel,
        List<String> security,
        EngineLimits limits,
        Optional<Set<String>> runtimes) {
    private static final String ROOTLESS = "name=rootless";
    private static final Path OWN_KERNEL = Path.of("/proc/sys/kernel/osrelease");

    /** Returns whether the engine runs as an ordinary user, whose ids its containers map. */
    public boolean isRootless() {
        return security.contains(ROOTLESS);
    }

    /** Returns whether the engine's kernel is this machine's, as far as its release shows. */
    public boolean isOnThisKernel() {
        try {
            return Files.isReadable(OWN_KERNEL)
                    && Files.readString(OWN_KERNEL).strip().equals(kernel);
        } catch (IOException fault) {
            throw new UncheckedIOException(OWN_KERNEL + " cannot be read", fault);
        }
    }

    /**
     * Asks an engine.
     *
     * @throws dev.paddock.executor.SandboxUnavailableException if the engine does not answer
     */
    public static EngineInfo of(Engine engine) {
        return of(engine.require("/info"));
    }

    public static EngineInfo of(JsonNode answer) {
        List<String> security = new ArrayList<>();
        answer.path("SecurityOptions").forEach(option -> security.add(option.asText()));
        if (answer.path("Rootless").asBoolean()) {
            security.add(ROOTLESS); // in Docker's form
        }
        JsonNode runtimes = answer.path("Runtimes");
        Set<String> names = new TreeSet<>();
        runtimes.fieldNames().forEachRemaining(names::add);
        return new EngineInfo(
                answer.path("ServerVersion").asText(),
                answer.path("Architecture").asText(),
                answer.path("KernelVersion").asText(),
                List.copyOf(security),
                EngineLimits.of(answer),
                runtimes.isObject() ? Optional.of(names) : Optional.empty());
    }
}
