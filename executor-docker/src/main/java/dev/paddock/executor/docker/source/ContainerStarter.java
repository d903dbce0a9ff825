package dev.paddock.executor.docker.source;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.github.dockerjava.api.exception.DockerException;
import dev.paddock.executor.Availability;
import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.SandboxUnavailableException;
import dev.paddock.executor.docker.container.ContainerRemoval;
import dev.paddock.executor.docker.container.ContainerSpec;
import dev.paddock.executor.docker.container.EngineInfo;
import dev.paddock.executor.docker.container.OwnFiles;
import dev.paddock.executor.docker.container.PodmanRequest;
import dev.paddock.executor.docker.engine.Engine;
import dev.paddock.executor.docker.engine.EngineProduct;
import dev.paddock.executor.log.LateLogger;
import dev.paddock.executor.remote.command.WorktreeProtection;
import dev.paddock.executor.worktree.ProtectionPlan;
import dev.paddock.executor.worktree.SessionContainer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Creates and starts the containers of a {@link ManagedContainerSource}, with their network. Removes a container that
 * does not start.
 */
final class ContainerStarter {
    private static final System.Logger LOG = LateLogger.of(ContainerStarter.class);

    private final Engine engine;
    private final ManagedSettings settings;
    private final WorktreeProtection protection;
    private final Optional<ContainerNetwork> network;

    ContainerStarter(
            Engine engine,
            ManagedSettings settings,
            WorktreeProtection protection,
            Optional<ContainerNetwork> network) {
        this.engine = engine;
        this.settings = settings;
        this.protection = protection;
        this.network = network;
    }

    /**
     * Creates a container and starts it.
     *
     * @param product the engine's product
     * @param info the engine's report
     * @param user the commands' user; empty for the image's
     * @return keeps it alive
     * @throws SandboxUnavailableException if the engine refuses it, or it does not run
     */
    KeepAliveAttach start(EngineProduct product, EngineInfo info, String user) {
        Optional<Path> users = users(user);
        Optional<KeepAlivePipe> pipe = pipe(info);
        OwnFiles files = new OwnFiles(pipe.map(KeepAlivePipe::path), users);
        ProtectionPlan plan =
                engine.isLocal() ? protection.plan() : protection.plan().withoutShown();
        try {
            return start(product, info, settings.specification(plan, user, files), pipe);
        } catch (RuntimeException fault) {
            pipe.ifPresent(KeepAlivePipe::close);
            if (!protection.isNamedIn(String.valueOf(fault.getMessage()))) {
                throw fault;
            }
            LOG.log(
                    System.Logger.Level.WARNING,
                    "the engine does not see Paddock's state directory; a container in which a command stops the"
                            + " engine's processes may outlive a killed JVM, and Java does not find the commands' home",
                    fault);
            ProtectionPlan seen = protection.plan().withoutShown();
            return start(product, info, settings.specification(seen, user, OwnFiles.NONE), Optional.empty());
        }
    }

    private Optional<Path> users(String user) {
        try {
            return new ImageUsers(engine, settings).write(protection.freePath("users"), user);
        } catch (IOException fault) {
            throw refused(fault);
        }
    }

    private Optional<KeepAlivePipe> pipe(EngineInfo info) {
        try {
            return engine.isLocal() ? KeepAlivePipe.create(protection.freePath("keep-alive"), info) : Optional.empty();
        } catch (IOException fault) {
            throw refused(fault);
        }
    }

    private KeepAliveAttach start(
            EngineProduct product, EngineInfo info, ContainerSpec specification, Optional<KeepAlivePipe> pipe) {
        try (PodmanRequest podman = new PodmanRequest(protection.freePath("podman"))) {
            ObjectNode request = specification.request();
            return start(
                    product == EngineProduct.PODMAN ? podman.translate(request, info.isRootless()) : request, pipe);
        } catch (IOException fault) {
            throw refused(fault);
        }
    }

    private KeepAliveAttach start(ObjectNode request, Optional<KeepAlivePipe> pipe) {
        String container = create(request);
        try {
            KeepAliveAttach started = KeepAliveAttach.start(engine, container, settings.runtime(), pipe);
            if (network.isPresent()) {
                network.get().serve(sockets(container));
            }
            protection.runsIn(SessionContainer.running(container, engine.where()));
            return started;
        } catch (IOException | DockerException fault) {
            removeUnstarted(container);
            throw refused(fault);
        } catch (InterruptedException interrupt) {
            Thread.currentThread().interrupt();
            removeUnstarted(container);
            throw refused(interrupt);
        } catch (RuntimeException fault) {
            removeUnstarted(container);
            throw fault;
        }
    }

    ContainerSockets sockets(String container) {
        return new ContainerSockets(
                engine, container, () -> new SocketSidecar(engine, settings.image(), protection.freePath("network")));
    }

    private void removeUnstarted(String container) {
        try {
            ContainerRemoval.of(engine, container, ManagedContainerSource.REMOVAL);
        } catch (ExecutorException left) {
            LOG.log(System.Logger.Level.WARNING, left.getMessage());
        }
    }

    private String create(ObjectNode request) {
        try {
            return engine.create("/containers/create?name=" + settings.newContainerName(), request);
        } catch (DockerException refusal) {
            throw refused(refusal);
        }
    }

    private SandboxUnavailableException refused(Exception fault) {
        String why =
                fault instanceof DockerException refusal ? Engine.message(refusal) : String.valueOf(fault.getMessage());
        String remedy = why.contains("init binary not found")
                ? "Install catatonit, which Podman runs in each container (Debian: apt-get install catatonit)."
                : why.contains("executable file not found") || why.contains("no such file")
                        ? "The image '" + settings.image() + "' needs a shell named sh; choose another image."
                        : "Check the settings that the message names; " + engine.program()
                                + " info shows the engine's features.";
        SandboxUnavailableException unavailable = new SandboxUnavailableException(
                Engine.BACKEND, new Availability.Unusable("the container could not be started: " + why, remedy));
        unavailable.initCause(fault);
        return unavailable;
    }
}
