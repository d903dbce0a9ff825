package dev.paddock.harness.files.workspace;

import dev.paddock.harness.files.ContainedFiles;

/** Gives tests the tools' view of files that are opened in their own way. */
public final class WorkspaceFilesOver {
    private WorkspaceFilesOver() {}

    /** Returns the view; closing it closes the files. */
    public static WorkspaceFiles contained(ContainedFiles files) {
        return new WorkspaceFiles(files);
    }
}
