package dev.paddock.executor.docker.container;

import dev.paddock.executor.SandboxLostException;
import dev.paddock.executor.docker.engine.Engine;
import dev.paddock.executor.docker.engine.EngineProduct;
import dev.paddock.executor.docker.engine.Exec;
import dev.paddock.executor.remote.ShellChannel;
import dev.paddock.executor.remote.command.SystemConnection;
import dev.paddock.executor.remote.shell.ExecSerializer;
import java.io.Closeable;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Reaches a running container through its engine.
 *
 * @param engine the container's
 * @param container its id
 * @param user the commands' user, in Docker's form; empty for the container's own
 */
public record ContainerConnection(Engine engine, String container, String user) implements SystemConnection {
    private static final List<String> DOCKER_INIT = List.of("/sbin/docker-init", "-s", "--");

    /** Podman's init is catatonit or tini, whichever the machine has; only tini needs an option to be a subreaper. */
    private static final List<String> PODMAN_INIT = List.of("sh", "-c", """
            case $(/run/podman-init --version) in
                *catatonit*) exec /run/podman-init -- "$@" ;;
                *) exec /run/podman-init -s -- "$@" ;;
            esac""", "sh");

    /**
     * Returns the program that gives each slot its own subreaper, if the engine has put its init into the container.
     */
    public static List<String> subreaper(EngineProduct product) {
        return product == EngineProduct.PODMAN ? PODMAN_INIT : DOCKER_INIT;
    }

    @Override
    public String backend() {
        return Engine.BACKEND;
    }

    @Override
    public ShellChannel open(List<String> argv) {
        return Exec.start(engine, container, user, argv);
    }

    @Override
    public ShellChannel openAtTerminal(List<String> argv) {
        return Exec.startAtTerminal(engine, container, user, argv);
    }

    @Override
    public ExecSerializer execs() {
        return engine.execs();
    }

    @Override
    public Closeable watch(Consumer<String> onLoss) {
        return ContainerWatch.over(engine, container, onLoss);
    }

    @Override
    public Optional<SandboxLostException> lost() {
        ContainerState state = ContainerState.of(engine, container);
        return state.usable()
                ? Optional.empty()
                : Optional.of(new SandboxLostException(Engine.BACKEND, state.describe()));
    }
}
