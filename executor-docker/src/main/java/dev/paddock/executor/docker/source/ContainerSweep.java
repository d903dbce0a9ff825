package dev.paddock.executor.docker.source;

import com.github.dockerjava.api.model.Container;
import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.docker.container.Removal;
import dev.paddock.executor.docker.engine.Engine;
import dev.paddock.executor.process.table.OwnerId;
import java.util.List;

/** Removes the containers that dead owners have left behind. */
public final class ContainerSweep {
    private ContainerSweep() {}

    /**
     * Removes them.
     *
     * @param done receives a phrase for each container
     */
    public static void of(Engine engine, List<String> done) {
        List<Container> ours = engine.call(client -> client.listContainersCmd()
                .withShowAll(true)
                .withLabelFilter(List.of(ManagedSettings.OWNER_LABEL))
                .exec());
        for (Container container : ours) {
            String owner = container.getLabels().getOrDefault(ManagedSettings.OWNER_LABEL, "");
            if (OwnerId.parse(owner).filter(OwnerId::provenDead).isPresent()) {
                String name = container.getId().substring(0, 12);
                try {
                    Removal.of(engine, container.getId());
                    done.add("the container " + name + " was removed");
                } catch (ExecutorException fault) {
                    done.add("the container " + name + " could not be removed: " + fault.getMessage());
                }
            }
        }
    }
}
