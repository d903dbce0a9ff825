package dev.paddock.harness.tools.files;

import dev.paddock.executor.AbortSignal;
import dev.paddock.harness.files.workspace.Entry;
import dev.paddock.harness.files.workspace.WorkspaceFiles;
import dev.paddock.harness.tools.Json;
import dev.paddock.harness.tools.ToolResult;
import dev.paddock.harness.tools.command.FilesUnderWay;
import dev.paddock.harness.tools.text.Schema;
import java.util.List;

/** Lists a directory. */
final class LsTool extends FileTool {
    static final int MAX_ENTRIES = 500;

    LsTool(WorkspaceFiles files, FilesUnderWay underWay) {
        super(
                files,
                underWay,
                "ls",
                "List a directory",
                "List a directory: every entry, hidden and ignored ones included, sorted. Directories end with /, symbolic "
                        + "links with @. At most " + MAX_ENTRIES + " entries.",
                new Schema().optional("path", "string", "The directory (default: the working directory)"));
    }

    @Override
    public boolean isReadOnly() {
        return true;
    }

    @Override
    ToolResult run(FileToolArguments arguments, AbortSignal signal) {
        String path = pathOrRoot(arguments);
        String shown = files.shown(path);
        List<Entry> entries = files.list(path);
        Listing listing = new Listing(MAX_ENTRIES);
        for (Entry entry : entries) {
            signal.throwIfAborted();
            if (!listing.add(entry.name() + mark(entry))) {
                listing.notice(listing.entries() + " of " + entries.size()
                        + " entries are shown. Narrow down with find and a glob");
                break;
            }
        }
        return ToolResult.ok(listing.text("(" + shown + " is empty)"))
                .withDetails(Json.object()
                        .with("path", shown)
                        .with("entries", entries.size())
                        .with("shown", listing.entries()));
    }

    private static String mark(Entry entry) {
        return switch (entry.kind()) {
            case DIRECTORY -> "/";
            case LINK -> "@";
            case FILE, OTHER -> "";
        };
    }
}
