package dev.paddock.harness.workspace.provider;

import java.io.Serial;

/**
 * Reports that the files of a workspace no longer exist: it was closed, or its directory was
 * removed. The message names no path. No later attempt can succeed.
 *
 * @since 0.1
 */
public final class WorkspaceEvictedException extends WorkspaceException {
    @Serial
    private static final long serialVersionUID = 1L;

    public WorkspaceEvictedException() {
        super("the workspace no longer exists: it was closed, or its files were removed; open another");
    }
}
