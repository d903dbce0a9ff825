package dev.paddock.harness.workspace;

import java.util.List;

/**
 * A file of a store that is missing, cut or altered.
 *
 * @param file its path in the store
 * @param reason what is wrong with it
 * @param snapshots the ids of the snapshots that cannot be restored because of it
 * @since 0.1
 */
public record Damage(String file, String reason, List<String> snapshots) {
    public Damage {
        snapshots = List.copyOf(snapshots);
    }
}
