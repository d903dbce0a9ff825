package dev.paddock.harness.tools.files;

import dev.paddock.executor.AbortSignal;
import dev.paddock.harness.files.ContainedFiles;
import dev.paddock.harness.files.Directory;
import dev.paddock.harness.files.GrantedDirectory;
import dev.paddock.harness.files.Listing;
import dev.paddock.harness.files.Location;
import dev.paddock.harness.tools.ToolException;
import dev.paddock.harness.tools.ToolResult;
import dev.paddock.harness.tools.text.Schema;
import java.io.IOException;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Lists a directory. */
final class LsTool extends FileTool {
    static final int MOST_ENTRIES = 500;

    LsTool(ContainedFiles files) {
        super(
                files,
                "ls",
                "List a directory: every entry, hidden and ignored ones included, sorted. Directories end with /, symbolic "
                        + "links with @. At most " + MOST_ENTRIES + " entries.",
                new Schema().optional("path", "string", "The directory (default: the working directory)"));
    }

    @Override
    public boolean readOnly() {
        return true;
    }

    @Override
    ToolResult run(Arguments arguments, AbortSignal signal) throws IOException {
        try (Location where = files.locate(arguments.pathOrRoot())) {
            if (!where.existing().isDirectory()) {
                throw new ToolException(where.shown() + " is not a directory. Open it with read");
            }
            try (Directory directory = where.openDirectory()) {
                Map<String, GrantedDirectory> mounted = files.mountedIn(where.root(), where.resolved());
                Set<String> names = new TreeSet<>(directory.list());
                names.addAll(mounted.keySet());
                return listing(where, directory, names, mounted, signal);
            }
        }
    }

    private static ToolResult listing(
            Location where,
            Directory directory,
            Set<String> names,
            Map<String, GrantedDirectory> mounted,
            AbortSignal signal)
            throws IOException {
        Listing listing = new Listing(MOST_ENTRIES);
        for (String name : names) {
            signal.throwIfAborted();
            Optional<BasicFileAttributes> entry =
                    mounted.containsKey(name) ? mounted.get(name).attributes() : directory.attributes(name);
            if (!listing.add(name + mark(entry))) {
                listing.notice(listing.entries() + " of " + names.size()
                        + " entries are shown. Narrow down with find and a glob");
                break;
            }
        }
        return ToolResult.ok(listing.text("(" + where.shown() + " is empty)"))
                .withDetails(details()
                        .put("path", where.shown())
                        .put("entries", names.size())
                        .put("shown", listing.entries()));
    }

    private static String mark(Optional<BasicFileAttributes> entry) {
        return entry.map(attributes -> attributes.isDirectory() ? "/" : attributes.isSymbolicLink() ? "@" : "")
                .orElse("");
    }
}
