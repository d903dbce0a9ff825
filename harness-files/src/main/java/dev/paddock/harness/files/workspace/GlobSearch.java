package dev.paddock.harness.files.workspace;

import dev.paddock.executor.AbortSignal;
import dev.paddock.harness.files.ContainedFiles;
import dev.paddock.harness.files.Location;
import dev.paddock.harness.files.TreeWalk;
import dev.paddock.harness.files.access.FileException;
import java.io.IOException;
import java.util.List;
import java.util.TreeMap;

/** Performs one search for entries by their names. */
final class GlobSearch implements Search {
    private final ContainedFiles files;
    private final GlobQuery query;
    private final Globs globs;
    private final AbortSignal signal;
    private final TreeMap<String, Entry> found = new TreeMap<>();
    private boolean more;
    private int unreadable;

    GlobSearch(ContainedFiles files, GlobQuery query, AbortSignal signal) {
        this.files = files;
        this.query = query;
        this.globs = new Globs(query.patterns());
        this.signal = signal;
    }

    @Override
    public void in(Location where) throws IOException {
        if (!where.existing().isDirectory()) {
            requireRoot(where);
            Entry root = Entry.of(files.listed(where), where.existing());
            if (globs.match(root.name()) && !files.denies(where)) {
                add(root);
            }
            return;
        }
        TreeWalk walk = new TreeWalk(files, query.includesIgnored(), signal, entry -> visit(where, entry));
        walk.walk(where);
        unreadable += walk.unreadable();
    }

    /** Refuses a file, unless it is a root in a search of all. */
    private void requireRoot(Location where) {
        if (query.path().isPresent()) {
            throw new FileException(
                    FileException.Reason.NOT_A_DIRECTORY,
                    where.shown(),
                    where.shown() + " is not a directory. Name the directory to search");
        }
    }

    @Override
    public void missed() {
        unreadable++;
    }

    GlobResult result() {
        return new GlobResult(List.copyOf(found.values()), more, unreadable);
    }

    private boolean visit(Location start, TreeWalk.Entry entry) {
        if (!globs.match(start, entry) || files.denies(entry)) {
            return true;
        }
        return add(Entry.of(files.listed(start, entry), entry.attributes()));
    }

    private boolean add(Entry match) {
        // A directory sorts like its content.
        String key = match.path() + (match.kind() == Entry.Kind.DIRECTORY ? "/" : "");
        if (found.size() >= query.most() && !found.containsKey(key)) {
            more = true;
            return false;
        }
        found.put(key, match);
        return true;
    }
}
