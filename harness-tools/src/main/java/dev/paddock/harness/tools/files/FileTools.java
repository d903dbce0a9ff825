package dev.paddock.harness.tools.files;

import dev.paddock.harness.files.ContainedFiles;
import dev.paddock.harness.tools.Tool;
import java.util.List;

/** The file tools of a session. */
public final class FileTools {
    private FileTools() {}

    /**
     * {@code read}, {@code edit}, {@code write}, {@code ls}, {@code grep} and {@code find}, in this order.
     *
     * @param files what they work on; not closed by them
     * @return the tools; they share one lock per file, so that edits of a file follow one another
     */
    public static List<Tool> all(ContainedFiles files) {
        return List.of(
                new ReadTool(files),
                new EditTool(files),
                new WriteTool(files),
                new LsTool(files),
                new GrepTool(files),
                new FindTool(files));
    }
}
