package dev.paddock.executor.docker;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.github.dockerjava.api.model.HostConfig;
import com.github.dockerjava.api.model.LogConfig;
import com.github.dockerjava.api.model.Mount;
import com.github.dockerjava.api.model.MountType;
import dev.paddock.executor.AbortSignal;
import dev.paddock.executor.SandboxUnavailableException;
import dev.paddock.executor.docker.container.ContainerSpec;
import dev.paddock.executor.docker.engine.Engine;
import dev.paddock.executor.docker.engine.Frames;
import dev.paddock.executor.docker.engine.HijackedConnection;
import dev.paddock.executor.docker.source.ImageStore;
import dev.paddock.executor.tck.subject.Prerequisite;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * Provides the engine of the tests: the docker command's. Its images are built by
 * build/test-images.sh.
 */
final class TestEngine {
    static final String BUSYBOX = "paddock-test/busybox";
    static final String SHELL = "paddock-test/shell";
    static final String DEBIAN = "paddock-test/debian";

    private static final Engine ENGINE = Engine.ofEnvironment();

    private TestEngine() {}

    /**
     * Returns the engine; without one the test is skipped, or fails where skipping is not allowed.
     */
    static Engine get() {
        try {
            ENGINE.call(client -> client.pingCmd().exec());
        } catch (SandboxUnavailableException absent) {
            Prerequisite.require(false, String.valueOf(absent.getMessage()));
        }
        return ENGINE;
    }

    /** Returns the engine, if it has an image. */
    static Engine withImage(String image) {
        new ImageStore(get(), (name, layersDone, layers, bytesDone, bytes) -> {})
                .require(image, false, AbortSignal.never());
        return ENGINE;
    }

    /** Returns the group that owns the engine's socket. */
    static int group() throws IOException {
        Engine engine = get();
        assumeTrue(engine.isLocal(), () -> "the engine at " + engine.where() + " has no unix socket");
        Path socket = Path.of(URI.create(engine.where()).getPath());
        int group = (int) Files.getAttribute(socket, "unix:gid");
        Prerequisite.require(group != 0, "the engine's socket '" + socket + "' belongs to root's group");
        return group;
    }

    /** Returns whether the engine has a network that containers can be connected to. */
    static boolean hasBridge() {
        return get().call(client -> client.listNetworksCmd().exec()).stream()
                .anyMatch(network -> network.getName().equals("bridge"));
    }

    /**
     * Starts a container as a third party might create it: without hardening, its first process
     * waiting. It ends with this JVM, so that a test that dies leaves no container.
     */
    static String start(String image, Path shared, boolean init) throws IOException {
        return start(image, shared, init, UnaryOperator.identity());
    }

    /** Starts such a container with a changed configuration. */
    static String start(String image, Path shared, boolean init, UnaryOperator<HostConfig> change) throws IOException {
        Engine engine = withImage(image);
        HostConfig host = HostConfig.newHostConfig()
                .withNetworkMode("none")
                .withInit(init)
                .withAutoRemove(true)
                .withLogConfig(new LogConfig(LogConfig.LoggingType.NONE))
                .withMounts(List.of(new Mount()
                        .withType(MountType.BIND)
                        .withSource(shared.toString())
                        .withTarget("/work")));
        String id = engine.call(client -> client.createContainerCmd(image)
                .withEntrypoint("sh")
                .withCmd(ContainerSpec.KEEP_ALIVE)
                .withStdinOpen(true)
                .withStdInOnce(true)
                .withAttachStdin(true)
                .withHostConfig(change.apply(host))
                .exec()
                .getId());
        HijackedConnection lease = HijackedConnection.attach(engine, id);
        Thread.ofVirtual().start(() -> {
            try {
                new Frames(lease.input()).forEach((stream, bytes, length) -> {});
            } catch (IOException gone) {
                lease.close();
            }
        });
        engine.call(client -> client.startContainerCmd(id).exec());
        return id;
    }
}
