package dev.paddock.executor.sandbox.policy;

import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/**
 * States which parts of a policy a backend can enforce on this machine: all but the listed features, each with the
 * reason and a remedy. Immutable.
 */
public final class Capabilities {
    private final String backend;
    private final Map<Feature, Shortfall> lacking;

    private Capabilities(String backend, Map<Feature, Shortfall> lacking) {
        this.backend = backend;
        this.lacking = lacking;
    }

    /** The reason for a missing feature, and the remedy. */
    record Shortfall(String why, String remedy) {}

    /**
     * Returns the capabilities of a backend that enforces every policy; the caller removes missing features with {@link
     * #without}.
     *
     * @param backend its name
     */
    public static Capabilities of(String backend) {
        return new Capabilities(backend, Map.of());
    }

    /**
     * Returns these capabilities without one feature.
     *
     * @param feature the feature that cannot be enforced
     * @param why the reason, a clause
     * @param remedy what the user can do instead, an imperative clause without a final full stop
     */
    public Capabilities without(Feature feature, String why, String remedy) {
        Map<Feature, Shortfall> less = new EnumMap<>(Feature.class);
        less.putAll(lacking);
        less.put(feature, new Shortfall(why, remedy));
        return new Capabilities(backend, less);
    }

    /**
     * Returns these capabilities without a network of allowed hosts, for a backend in whose network namespace the JVM
     * cannot open sockets.
     */
    public Capabilities withoutChosenHosts() {
        return without(
                Feature.NETWORK_ALLOW,
                "this backend switches the network off or on as a whole",
                "set it to 'off' or 'open', or use bwrap");
    }

    /** Returns these capabilities without hidden files, for a backend that grants whole directories. */
    public Capabilities withoutHiddenPaths() {
        return without(
                Feature.HIDDEN_PATHS,
                "this backend grants a directory with all that is in it",
                "use bwrap or docker, or keep such files elsewhere");
    }

    String backend() {
        return backend;
    }

    Optional<Shortfall> shortfall(Feature feature) {
        return Optional.ofNullable(lacking.get(feature));
    }
}
