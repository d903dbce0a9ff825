package dev.paddock.executor.docker.command;

import dev.paddock.executor.AbortSignal;
import dev.paddock.executor.Guarantee;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/** Where the commands of one executor run: a container that there was already, or one of its own. */
public interface ContainerSource {

    /** The commands' environment, before their own variables. */
    Map<String, String> environment();

    Set<Guarantee> guarantees();

    /** How many slots are kept waiting. */
    int warmSlots();

    /**
     * Makes the container usable, from nothing if need be.
     *
     * @param survivors commands of an earlier life that may still run
     * @param signal ends what may take long, the fetching of an image
     * @throws dev.paddock.executor.AbortedException if it has ended that
     */
    Container open(List<ContainerCommand> survivors, AbortSignal signal);

    /**
     * Notes that a command is about to start.
     *
     * @return to be called when it has ended with all that it left: what is to be told about the worktree
     */
    default Supplier<List<String>> watch() {
        return List::of;
    }

    /** The container, for people. */
    String what();

    /** Removes what is the executor's own. */
    void dispose();
}
