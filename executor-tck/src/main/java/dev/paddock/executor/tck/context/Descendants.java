package dev.paddock.executor.tck.context;

import dev.paddock.executor.Guarantee;
import java.util.ArrayList;
import java.util.List;

/** Determines which kinds of descendant a test can use. */
public final class Descendants {
    private Descendants() {}

    /** Returns the kinds whose programs are available, and that the executor promises to reach. */
    public static List<Descendant> usable(ContractContext context) throws InterruptedException {
        List<Descendant> usable = new ArrayList<>();
        for (Descendant kind : Descendant.values()) {
            boolean promised = !kind.needsTreeKill() || context.claims(Guarantee.TREE_KILL);
            if (promised && context.hasTools(kind.tools())) {
                usable.add(kind);
            }
        }
        return usable;
    }
}
