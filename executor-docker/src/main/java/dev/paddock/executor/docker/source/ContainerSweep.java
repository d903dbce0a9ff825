package dev.paddock.executor.docker.source;

import com.fasterxml.jackson.databind.JsonNode;
import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.docker.container.ContainerRemoval;
import dev.paddock.executor.docker.engine.Engine;
import dev.paddock.executor.os.io.DaemonThreads;
import dev.paddock.executor.os.table.OwnerId;
import dev.paddock.executor.upkeep.SweepMode;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Removes the containers of dead owners. */
public final class ContainerSweep {
    /** A removal takes a second at most, unless the engine cannot end the container. */
    private static final Duration BOUND = Duration.ofSeconds(4);

    private static final String OURS = "/containers/json?all=true&filters="
            + URLEncoder.encode("{\"label\":[\"" + ManagedSettings.OWNER_LABEL + "\"]}", StandardCharsets.UTF_8);

    private ContainerSweep() {}

    /**
     * Removes them all at once, so that one that the engine cannot remove delays no other. Takes 4 seconds at most,
     * plus the engine's listing of containers.
     *
     * @param mode whether to remove or only list them
     * @return a phrase for each container, removed or not
     * @throws dev.paddock.executor.SandboxUnavailableException if the engine does not list its containers
     */
    public static List<String> of(Engine engine, SweepMode mode) {
        List<JsonNode> ours = new ArrayList<>();
        engine.require(OURS).forEach(ours::add);
        List<CompletableFuture<String>> removals = ours.stream()
                .filter(ContainerSweep::isOwnerDead)
                .map(container -> CompletableFuture.supplyAsync(
                        () -> sweep(engine, container.path("Id").asText(), mode),
                        DaemonThreads.virtual("paddock-docker-sweep")::start))
                .toList();
        return removals.stream().map(CompletableFuture::join).toList();
    }

    private static boolean isOwnerDead(JsonNode container) {
        String owner =
                container.path("Labels").path(ManagedSettings.OWNER_LABEL).asText();
        return OwnerId.parse(owner).filter(OwnerId::provenDead).isPresent();
    }

    private static String sweep(Engine engine, String container, SweepMode mode) {
        String name = container.substring(0, 12);
        return mode.apply("remove the container " + name, () -> remove(engine, container, name));
    }

    private static String remove(Engine engine, String container, String name) {
        try {
            ContainerRemoval.of(engine, container, BOUND);
            return "the container " + name + " was removed";
        } catch (ExecutorException fault) {
            return "the container " + name + " could not be removed: " + fault.getMessage();
        }
    }
}
