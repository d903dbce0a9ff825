package dev.paddock.executor.docker.container;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.paddock.executor.network.AllowedNetwork;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Translates create requests from Docker's forms into Podman's. Podman takes some settings as files of its machine,
 * which must exist until the container has started.
 */
public final class PodmanRequest implements AutoCloseable {
    private static final String SECCOMP = "seccomp=";
    private static final String RUN = "rw,noexec,nosuid,nodev,size=1048576,mode=755";

    private final Path filter;
    private final Path resolver;

    /**
     * Creates the translation of one request.
     *
     * @param files path prefix of its files
     */
    public PodmanRequest(Path files) {
        filter = files.resolveSibling(files.getFileName() + ".json");
        resolver = files.resolveSibling(files.getFileName() + ".conf");
    }

    /**
     * Translates a request.
     *
     * @param request is changed
     * @param isRootless whether the engine runs as an ordinary user
     * @return the same request
     */
    public ObjectNode translate(ObjectNode request, boolean isRootless) throws IOException {
        // Podman sets it even without a terminal.
        request.putArray("UnsetEnv").add("TERM");
        ObjectNode host = request.withObjectProperty(ContainerSpec.HOST);
        translateFilter(host.withArrayProperty("SecurityOpt"));
        translateMemoryMounts(host);
        if (host.has("Dns")) {
            // Podman applies it only to its own networks.
            Files.writeString(resolver, AllowedNetwork.resolverConfiguration());
            host.withArrayProperty("Mounts").add(ContainerSpec.bind(resolver, "/etc/resolv.conf", true));
        }
        if (isRootless) {
            // Otherwise the ids of the user's own files are root's in the container.
            host.put("UsernsMode", "keep-id");
        }
        return request;
    }

    private void translateFilter(ArrayNode security) throws IOException {
        for (int index = 0; index < security.size(); index++) {
            String option = security.path(index).asText();
            if (option.startsWith(SECCOMP)) {
                Files.writeString(filter, option.substring(SECCOMP.length()));
                security.set(index, SECCOMP + filter);
            }
        }
    }

    private static void translateMemoryMounts(ObjectNode host) {
        ObjectNode mounts = host.withObjectProperty("Tmpfs");
        if (host.path("ReadonlyRootfs").asBoolean()) {
            // Podman makes them writable, and would let them fill half of the machine's memory.
            mounts.put("/run", RUN).put("/var/tmp", ContainerSpec.TMPFS + ",mode=1777");
        }
        for (Map.Entry<String, JsonNode> mount : List.copyOf(mounts.properties())) {
            mounts.put(mount.getKey(), memoryMount(mount.getValue().asText()));
        }
    }

    /** Translates options: Podman's have no owner, and begin with a copy of the image's files by default. */
    private static String memoryMount(String docker) {
        List<String> options = new ArrayList<>();
        boolean isOwned = docker.contains("uid=");
        for (String option : docker.split(",", -1)) {
            if (isOwned && option.startsWith("mode=")) {
                options.add("mode=1777");
            } else if (!option.startsWith("uid=") && !option.startsWith("gid=")) {
                options.add(option);
            }
        }
        options.add("notmpcopyup");
        return String.join(",", options);
    }

    @Override
    public void close() throws IOException {
        Files.deleteIfExists(filter);
        Files.deleteIfExists(resolver);
    }
}
