package dev.paddock.harness.tools.files;

import dev.paddock.harness.files.workspace.WorkspaceFiles;
import dev.paddock.harness.tools.DocumentReader;
import dev.paddock.harness.tools.EditorBuffers;
import dev.paddock.harness.tools.Tool;
import dev.paddock.harness.tools.command.FilesUnderWay;
import java.util.List;
import java.util.Optional;

/** Creates the file tools of a session. */
public final class FileTools {
    private FileTools() {}

    /**
     * Returns {@code read}, {@code edit}, {@code write}, {@code ls}, {@code grep} and {@code find}, in this order.
     *
     * @param files the files that the tools access; the tools do not close it
     * @param underWay the pending changes that each call waits for before it reads files
     * @param documents shows documents that are not text
     * @param editor returns the unsaved texts of the user's editor
     * @return the tools; they share one lock per file, so that edits of a file are serialized
     */
    public static List<Tool> all(
            WorkspaceFiles files,
            FilesUnderWay underWay,
            Optional<DocumentReader> documents,
            Optional<EditorBuffers> editor) {
        UnsavedText unsaved = new UnsavedText(files, editor);
        return List.of(
                new ReadTool(files, underWay, documents, unsaved),
                new EditTool(files, underWay, unsaved),
                new WriteTool(files, underWay, unsaved),
                new LsTool(files, underWay),
                new GrepTool(files, underWay),
                new FindTool(files, underWay));
    }
}
