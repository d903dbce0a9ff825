package dev.paddock.harness.tools.files;

import dev.paddock.executor.AbortSignal;
import dev.paddock.harness.files.ContainedFiles;
import dev.paddock.harness.files.Listing;
import dev.paddock.harness.files.Location;
import dev.paddock.harness.files.TreeWalk;
import dev.paddock.harness.files.pattern.Glob;
import dev.paddock.harness.tools.ToolException;
import dev.paddock.harness.tools.ToolResult;
import dev.paddock.harness.tools.text.Schema;
import java.io.IOException;

/** Finds files and directories by name. */
final class FindTool extends FileTool {
    static final int MOST_RESULTS = 1_000;

    FindTool(ContainedFiles files) {
        super(
                files,
                "find",
                "Find files and directories by a glob such as *.java, src/**/*.{ts,tsx} or Makefile. Without a slash the glob "
                        + "matches names at any depth. What .gitignore names is left out. Sorted; at most "
                        + MOST_RESULTS
                        + " results; directories end with /.",
                new Schema()
                        .required(
                                "glob",
                                "string",
                                "The glob: * and ? within a name, ** across directories, {a,b}, [a-z]")
                        .optional("path", "string", "The directory to search (default: the working directory)"));
    }

    @Override
    public boolean readOnly() {
        return true;
    }

    @Override
    ToolResult run(Arguments arguments, AbortSignal signal) throws IOException {
        Glob glob = Glob.compile(arguments.text("glob"));
        try (Location where = files.locate(arguments.pathOrRoot())) {
            if (!where.existing().isDirectory()) {
                throw new ToolException(where.shown() + " is not a directory. Name the directory to search");
            }
            Listing listing = new Listing(MOST_RESULTS);
            int skip = where.resolved().isEmpty() ? 0 : where.relative().length() + 1;
            TreeWalk walk = new TreeWalk(
                    files,
                    signal,
                    entry -> !glob.matches(entry.path().substring(skip), entry.path())
                            || listing.add(where.root().listed(entry.path() + mark(entry))));
            walk.walk(where);
            if (listing.isFull()) {
                listing.notice("The first " + listing.entries()
                        + " results are shown; there are more. Narrow down with path or a more exact glob");
            }
            if (walk.unreadable() > 0) {
                listing.notice(walk.unreadable() + " entries could not be examined");
            }
            return ToolResult.ok(listing.text("(nothing matches " + arguments.text("glob") + ")"))
                    .withDetails(details()
                            .put("results", listing.entries())
                            .put("more", listing.isFull())
                            .put("unreadable", walk.unreadable()));
        }
    }

    private static String mark(TreeWalk.Entry entry) {
        return entry.attributes().isDirectory() ? "/" : "";
    }
}
