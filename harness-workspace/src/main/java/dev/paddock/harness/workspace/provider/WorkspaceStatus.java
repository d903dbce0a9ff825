package dev.paddock.harness.workspace.provider;

import java.util.Optional;

/**
 * Describes a workspace of a registry.
 *
 * @param kind its kind
 * @param state its state
 * @param ref its reference; empty before it was opened
 * @param lastError the message of the last failure; empty if there was none since it was open
 * @since 0.1
 */
public record WorkspaceStatus(String kind, State state, Optional<WorkspaceRef> ref, Optional<String> lastError) {

    /** The state of a workspace. */
    public enum State {
        /** Not opened or resolved yet. */
        UNOPENED,
        /** Being opened or resolved. */
        OPENING,
        /** Open. */
        OPEN,
        /** The last attempt to open or resolve it failed; the next use tries again. */
        FAILED,
        /** Suspended; the next use resolves it. */
        SUSPENDED,
        /** Closed or removed. */
        GONE
    }
}
