package dev.paddock.harness.tools.files;

import dev.paddock.harness.files.workspace.WorkspaceFiles;
import dev.paddock.harness.tools.Tool;
import java.util.List;

/** Creates the file tools of a session. */
public final class FileTools {
    private FileTools() {}

    /**
     * Returns {@code read}, {@code edit}, {@code write}, {@code ls}, {@code grep} and {@code find},
     * in this order.
     *
     * @param files the files that the tools access; the tools do not close it
     * @return the tools; they share one lock per file, so that edits of a file are serialized
     */
    public static List<Tool> all(WorkspaceFiles files) {
        return List.of(
                new ReadTool(files),
                new EditTool(files),
                new WriteTool(files),
                new LsTool(files),
                new GrepTool(files),
                new FindTool(files));
    }
}
