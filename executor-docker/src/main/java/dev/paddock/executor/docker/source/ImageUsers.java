package dev.paddock.executor.docker.source;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.github.dockerjava.api.exception.DockerException;
import dev.paddock.executor.SandboxUnavailableException;
import dev.paddock.executor.docker.container.ContainerRemoval;
import dev.paddock.executor.docker.container.ContainerSpec;
import dev.paddock.executor.docker.container.UserList;
import dev.paddock.executor.docker.engine.Engine;
import dev.paddock.executor.log.LateLogger;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Derives a managed container's list of users from its image's. Engines return only files of containers: before the
 * first container of a JVM, this class creates one of the image, reads the list, and never starts it.
 */
final class ImageUsers {
    private static final System.Logger LOG = LateLogger.of(ImageUsers.class);

    /** A longer list is not copied: commands see the image's. */
    private static final int MAX_BYTES = 1 << 20;

    /** The lists by image id, a digest of the content. */
    private static final Map<String, Optional<String>> KNOWN = new ConcurrentHashMap<>();

    private final Engine engine;
    private final ManagedSettings settings;

    ImageUsers(Engine engine, ManagedSettings settings) {
        this.engine = engine;
        this.settings = settings;
    }

    /**
     * Writes the list for commands.
     *
     * @param file an unused path
     * @param user the commands' user
     * @return the file; empty if commands see the image's own list or none: an engine elsewhere does not see this
     *     machine's files, and with a writable root, the programs that add users replace the list
     */
    Optional<Path> write(Path file, String user) throws IOException {
        if (!engine.isLocal() || settings.extra().writableRoot() || UserList.isCovered(settings.policy())) {
            return Optional.empty();
        }
        Optional<String> list = list();
        if (list.isEmpty()) {
            return Optional.empty();
        }
        Files.writeString(file, UserList.of(list.get(), user, ContainerSpec.HOME), StandardCharsets.ISO_8859_1);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("r--r--r--"));
        return Optional.of(file);
    }

    private Optional<String> list() {
        try {
            String id = new ImageStore(engine, settings.progress())
                    .idOf(settings.image())
                    .orElse("");
            return KNOWN.computeIfAbsent(id, unused -> read());
        } catch (DockerException | SandboxUnavailableException refusal) {
            // The container itself is created next: if that is refused, too, the message says more.
            LOG.log(System.Logger.Level.DEBUG, "the image's list of users cannot be read", refusal);
            return Optional.empty();
        }
    }

    private Optional<String> read() {
        String container = engine.create("/containers/create", request());
        try {
            return engine.file(container, UserList.PATH, MAX_BYTES)
                    .map(bytes -> new String(bytes, StandardCharsets.ISO_8859_1));
        } finally {
            remove(container);
        }
    }

    private ObjectNode request() {
        ObjectNode request = JsonNodeFactory.instance.objectNode();
        request.put("Image", settings.image());
        request.putArray("Entrypoint").add("sh");
        ManagedSettings.labels().forEach(request.putObject("Labels")::put);
        request.putObject("HostConfig").put("NetworkMode", "none");
        return request;
    }

    private void remove(String container) {
        try {
            ContainerRemoval.of(engine, container, ManagedContainerSource.REMOVAL);
        } catch (ContainerRemoval.ContainerLeft left) {
            LOG.log(System.Logger.Level.WARNING, left.getMessage());
        }
    }
}
