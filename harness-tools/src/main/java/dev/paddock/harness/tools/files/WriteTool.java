package dev.paddock.harness.tools.files;

import dev.paddock.executor.AbortSignal;
import dev.paddock.harness.files.workspace.WorkspaceFiles;
import dev.paddock.harness.tools.Json;
import dev.paddock.harness.tools.ToolException;
import dev.paddock.harness.tools.ToolResult;
import dev.paddock.harness.tools.command.FilesUnderWay;
import dev.paddock.harness.tools.text.Schema;
import java.io.IOException;
import java.util.Optional;

/** Writes a whole file. */
final class WriteTool extends FileTool {
    static final int MAX_BYTES = 10 << 20;

    private final UnsavedText unsaved;

    WriteTool(WorkspaceFiles files, FilesUnderWay underWay, UnsavedText unsaved) {
        super(
                files,
                underWay,
                "write",
                "Write a file",
                "Write a file whole. Creates it and its parent directories, or replaces what it holds, in its "
                        + "encoding and with its line ends.",
                new Schema()
                        .required("path", "string", "The file, relative to the working directory or absolute")
                        .required("content", "string", "The whole content of the file")
                        .optional(
                                "encoding", "string", "The encoding (default: that of the file, UTF-8 for a new one)"));
        this.unsaved = unsaved;
    }

    @Override
    public Optional<Json> outputSchema() {
        return Optional.of(new Schema()
                .optional("path", "string", "The file.")
                .optional("bytes", "integer", "The file's size.")
                .optional("created", "boolean", "Whether the file is new.")
                .build());
    }

    @Override
    ToolResult run(FileToolArguments arguments, AbortSignal signal) throws IOException {
        byte[] utf8 = arguments.utf8("content");
        requireFits(utf8);
        String path = path(arguments);
        String shown = files.shown(path);
        Replaced old = Replaced.in(files, path, arguments.encoding());
        byte[] content = old.encode(utf8);
        requireFits(content);
        String notice = unsaved.requireSaved(path, Optional.empty(), signal);
        boolean created = files.write(path, content, signal).created();
        return ToolResult.ok((created ? "Created " : "Replaced ") + shown + ": wrote " + content.length
                        + (content.length == 1 ? " byte" : " bytes") + old.kept() + notice)
                .withDetails(Json.object()
                        .with("path", shown)
                        .with("bytes", content.length)
                        .with("created", created));
    }

    private static void requireFits(byte[] content) {
        if (content.length > MAX_BYTES) {
            throw new ToolException("the content has " + content.length + " bytes, more than the " + MAX_BYTES
                    + " that one call writes. Write it in parts through a command");
        }
    }
}
