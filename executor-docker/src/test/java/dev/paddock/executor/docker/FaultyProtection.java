package dev.paddock.executor.docker;

import dev.paddock.executor.AbortSignal;
import dev.paddock.executor.Guarantee;
import dev.paddock.executor.docker.command.Container;
import dev.paddock.executor.docker.command.ContainerCommand;
import dev.paddock.executor.docker.command.ContainerContext;
import dev.paddock.executor.docker.command.ContainerSource;
import dev.paddock.executor.docker.container.Removal;
import dev.paddock.executor.docker.engine.Engine;
import dev.paddock.executor.remote.shell.OrphanPolicy;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Supplier;

/** A running container whose worktree cannot be examined after a command. */
record FaultyProtection(Engine engine, String container) implements ContainerSource {
    @Override
    public Map<String, String> environment() {
        return Map.of();
    }

    @Override
    public Set<Guarantee> guarantees() {
        return Set.of();
    }

    @Override
    public int warmSlots() {
        return 0;
    }

    @Override
    public Container open(List<ContainerCommand> survivors, AbortSignal signal) {
        ContainerContext inside =
                new ContainerContext(container, container, "", true, 0, OrphanPolicy.MARKED, OptionalLong.empty());
        return Container.open(engine, inside, this, survivors);
    }

    @Override
    public Supplier<List<String>> watch() {
        return () -> {
            throw new StackOverflowError("a tree too deep");
        };
    }

    @Override
    public String what() {
        return "the container '" + container + "'";
    }

    @Override
    public void dispose() {
        Removal.of(engine, container);
    }
}
