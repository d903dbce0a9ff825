package dev.paddock.executor.docker.source;

import com.github.dockerjava.api.command.InspectContainerResponse;
import com.github.dockerjava.api.exception.NotFoundException;
import com.github.dockerjava.api.model.HostConfig;
import dev.paddock.executor.AbortSignal;
import dev.paddock.executor.Availability;
import dev.paddock.executor.Guarantee;
import dev.paddock.executor.SandboxLostException;
import dev.paddock.executor.SandboxUnavailableException;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.docker.container.ContainerConnection;
import dev.paddock.executor.docker.container.ContainerFilter;
import dev.paddock.executor.docker.container.ContainerRemoval;
import dev.paddock.executor.docker.container.ContainerState;
import dev.paddock.executor.docker.engine.Engine;
import dev.paddock.executor.docker.engine.EngineProduct;
import dev.paddock.executor.docker.engine.Exec;
import dev.paddock.executor.remote.command.RemoteCommand;
import dev.paddock.executor.remote.command.RemoteSystem;
import dev.paddock.executor.remote.command.SystemContext;
import dev.paddock.executor.remote.shell.OrphanPolicy;
import dev.paddock.executor.remote.shell.ProcStatus;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;

/** Supplies a container that the executor did not create, and removes it at disposal only if configured to. */
public final class AttachedContainerSource implements ContainerSource {
    private final Engine engine;
    private final String container;
    private final Map<String, String> environment;
    private final String user;
    private final boolean removeOnDispose;
    private final int warmSlots;

    /** Creates the source; contacts the engine later. */
    public AttachedContainerSource(
            Engine engine,
            String container,
            Map<String, String> environment,
            String user,
            boolean removeOnDispose,
            int warmSlots) {
        this.engine = engine;
        this.container = container;
        this.environment = Map.copyOf(environment);
        this.user = user;
        this.removeOnDispose = removeOnDispose;
        this.warmSlots = warmSlots;
    }

    @Override
    public Map<String, String> environment() {
        return environment;
    }

    /**
     * Returns the guarantees that the container's configuration gives and those that an inspection from inside
     * confirms. Does not claim the engine's own system-call filter: its rules depend on the engine's version, and some
     * let {@code ptrace} and {@code io_uring} pass.
     */
    @Override
    public Set<Guarantee> guarantees() {
        InspectContainerResponse seen = requireUsable();
        HostConfig host = seen.getHostConfig();
        Set<Guarantee> kept = EnumSet.noneOf(Guarantee.class);
        boolean added = host.getCapAdd() != null && host.getCapAdd().length > 0;
        if (Boolean.TRUE.equals(host.getPrivileged()) || added || "host".equals(host.getPidMode())) {
            // A container that may mount, or enter other processes' namespaces, can escape every other restriction.
            return kept;
        }
        kept.add(Guarantee.TERMINAL);
        if ("none".equals(host.getNetworkMode())) {
            kept.add(Guarantee.NETWORK_OFF);
        }
        ProcStatus status = ProcStatus.read(Exec.start(engine, seen.getId(), user, ProcStatus.COMMAND));
        if (status.isWithoutPrivileges()) {
            kept.add(Guarantee.NO_NEW_PRIVILEGES);
        }
        List<String> options = host.getSecurityOpts() == null ? List.of() : host.getSecurityOpts();
        if (status.isFiltered() && options.contains(ContainerFilter.OPTION)) {
            kept.add(Guarantee.SYSCALL_FILTER);
        }
        return kept;
    }

    private InspectContainerResponse inspect() {
        return engine.call(client -> {
            try {
                return client.inspectContainerCmd(container).exec();
            } catch (NotFoundException absent) {
                throw unusable(new ContainerState(container, "absent", false));
            }
        });
    }

    @Override
    public RemoteSystem open(List<RemoteCommand> survivors, AbortSignal signal) {
        InspectContainerResponse seen = requireUsable();
        try {
            return RemoteSystem.open(
                    new ContainerConnection(engine, seen.getId(), user), inside(seen), this, survivors);
        } catch (SandboxLostException loss) {
            ContainerState now = ContainerState.of(engine, container);
            if (!now.usable()) {
                // The container ended while it was being opened.
                SandboxUnavailableException unusable = unusable(now);
                unusable.initCause(loss);
                throw unusable;
            }
            throw loss;
        }
    }

    private InspectContainerResponse requireUsable() {
        InspectContainerResponse seen = inspect();
        ContainerState state = ContainerState.of(container, seen);
        if (!state.usable()) {
            throw unusable(state);
        }
        return seen;
    }

    private SystemContext inside(InspectContainerResponse seen) {
        HostConfig host = seen.getHostConfig();
        Long memory = host.getMemory();
        return new SystemContext(
                seen.getId(),
                seen.getId() + " " + seen.getState().getStartedAt(),
                Boolean.TRUE.equals(host.getInit())
                        ? ContainerConnection.subreaper(EngineProduct.of(engine))
                        : List.of(),
                0,
                OrphanPolicy.MARKED,
                memory == null || memory <= 0 ? OptionalLong.empty() : OptionalLong.of(memory));
    }

    private SandboxUnavailableException unusable(ContainerState state) {
        return new SandboxUnavailableException(
                Engine.BACKEND,
                new Availability.Unusable(
                        state.describe(),
                        state.remedy(engine.program()),
                        state.word().equals("restarting")));
    }

    @Override
    public void requirePublishing(SpawnOptions options) {
        options.refusePublishing(
                Engine.BACKEND,
                what() + " is not Paddock's own; publish the port when you create it (" + engine.program()
                        + " run -p 127.0.0.1:PORT:PORT)");
    }

    @Override
    public int warmSlots() {
        return warmSlots;
    }

    @Override
    public String what() {
        return "the container '" + container + "'";
    }

    @Override
    public void dispose(List<RemoteCommand> survivors) {
        if (removeOnDispose) {
            ContainerRemoval.of(engine, container);
            survivors.forEach(RemoteCommand::confirmEnd);
        }
    }
}
