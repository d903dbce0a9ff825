package dev.paddock.harness.workspace.directory;

import dev.paddock.harness.workspace.provider.Capability;
import dev.paddock.harness.workspace.provider.WorkspaceConfig;
import dev.paddock.harness.workspace.provider.WorkspaceFailedException;
import dev.paddock.harness.workspace.provider.WorkspaceRef;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Creates and checks the references to workspaces of a kind, which contain the workspace's id and nonce.
 *
 * @param kind the kind
 */
record WorkspaceReferences(WorkspaceKind kind) {
    private static final int SCHEMA = 1;
    private static final String ID = "id";
    private static final String NONCE = "nonce";

    /** Returns a reference with the workspace's own capabilities. */
    WorkspaceRef to(WorkspaceRecord record) {
        return to(record, record.config().capabilities());
    }

    WorkspaceRef to(WorkspaceRecord record, Set<Capability> capabilities) {
        return new WorkspaceRef(kind.word(), SCHEMA, capabilities, Map.of(ID, record.id(), NONCE, record.nonce()));
    }

    /**
     * Checks the parts of a reference that need no workspace.
     *
     * @throws WorkspaceFailedException if it is of another kind or version, or malformed
     */
    void require(WorkspaceRef ref) {
        if (!ref.kind().equals(kind.word())) {
            throw new WorkspaceFailedException("the reference is to a workspace of the kind '" + ref.kind()
                    + "', and this provider has those of '" + kind.word() + "'");
        }
        if (ref.schemaVersion() != SCHEMA) {
            throw new WorkspaceFailedException("the reference has the schemaVersion " + ref.schemaVersion()
                    + ", and this version of Paddock reads " + SCHEMA);
        }
        Set<String> fields = ref.payload().keySet();
        if (!fields.equals(Set.of(ID, NONCE))) {
            throw new WorkspaceFailedException("the reference's payload has not exactly the fields '" + ID + "' and '"
                    + NONCE + "', but " + new TreeSet<>(fields) + "; use a reference as Workspace.ref() gives it");
        }
    }

    String id(WorkspaceRef ref) {
        return ref.payload().getOrDefault(ID, "");
    }

    String nonce(WorkspaceRef ref) {
        return ref.payload().getOrDefault(NONCE, "");
    }

    /**
     * Checks a reference against the workspace that it names.
     *
     * @throws WorkspaceFailedException if it claims more than the workspace was opened with
     */
    void requireGranted(WorkspaceRef ref, WorkspaceConfig config) {
        if (!config.kind().equals(kind.word()) || !config.capabilities().containsAll(ref.capabilities())) {
            throw new WorkspaceFailedException(
                    "the reference claims another kind or more capabilities than the workspace was opened with");
        }
    }
}
