package dev.paddock.harness.tools.files;

import dev.paddock.executor.AbortSignal;
import dev.paddock.harness.files.workspace.Entry;
import dev.paddock.harness.files.workspace.GlobQuery;
import dev.paddock.harness.files.workspace.GlobResult;
import dev.paddock.harness.files.workspace.WorkspaceFiles;
import dev.paddock.harness.tools.Json;
import dev.paddock.harness.tools.ToolResult;
import dev.paddock.harness.tools.command.FilesUnderWay;
import dev.paddock.harness.tools.text.Schema;
import java.util.List;

/** Finds files and directories by name. */
final class FindTool extends FileTool {
    static final int MAX_RESULTS = 1_000;

    FindTool(WorkspaceFiles files, FilesUnderWay underWay) {
        super(
                files,
                underWay,
                "find",
                "Find files by name",
                "Find files and directories by a glob such as *.java, src/**/*.{ts,tsx} or Makefile. Without a slash the glob "
                        + "matches names at any depth. What .gitignore names is left out. Sorted; at most "
                        + MAX_RESULTS
                        + " results; directories end with /.",
                new Schema()
                        .required(
                                "glob",
                                "string",
                                "The glob: * and ? within a name, ** across directories, {a,b}, [a-z]")
                        .optional("path", "string", "The directory to search (default: the working directory)"));
    }

    @Override
    public boolean isReadOnly() {
        return true;
    }

    @Override
    ToolResult run(FileToolArguments arguments, AbortSignal signal) {
        String glob = arguments.text("glob");
        GlobQuery query = GlobQuery.of(List.of(glob))
                .in(pathOrRoot(arguments))
                .most(MAX_RESULTS)
                .withoutIgnored();
        GlobResult found = files.glob(query, signal);
        Listing listing = new Listing(MAX_RESULTS);
        found.entries().forEach(entry -> listing.add(entry.path() + mark(entry)));
        boolean more = found.hasMore() || listing.isFull();
        if (more) {
            listing.notice("The first " + listing.entries()
                    + " results are shown; there are more. Narrow down with path or a more exact glob");
        }
        if (found.unreadable() > 0) {
            listing.notice(found.unreadable() + " entries could not be examined");
        }
        return ToolResult.ok(listing.text("(nothing matches " + glob + ")"))
                .withDetails(Json.object()
                        .with("results", listing.entries())
                        .with("more", more)
                        .with("unreadable", found.unreadable()));
    }

    private static String mark(Entry entry) {
        return entry.kind() == Entry.Kind.DIRECTORY ? "/" : "";
    }
}
