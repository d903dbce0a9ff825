package dev.paddock.harness.workspace.store;

import dev.paddock.harness.workspace.Change;
import dev.paddock.harness.workspace.TreePath;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Compares two snapshots. Times and owners make no difference. */
final class Differences {
    private static final int PERMISSIONS = 07777;

    private final List<Change> changes = new ArrayList<>();

    private Differences() {}

    static List<Change> between(Node from, Node to) {
        Differences differences = new Differences();
        differences.entry(TreePath.ROOT, from, to);
        return List.copyOf(differences.changes);
    }

    private void directory(TreePath path, List<Node> from, List<Node> to) {
        int left = 0;
        int right = 0;
        while (left < from.size() || right < to.size()) {
            int order = left == from.size()
                    ? 1
                    : right == to.size()
                            ? -1
                            : from.get(left).name().compareTo(to.get(right).name());
            Node before = order <= 0 ? from.get(left++) : null;
            Node after = order >= 0 ? to.get(right++) : null;
            Node named = before == null ? after : before;
            if (named != null) {
                entry(path.child(named.name()), before, after);
            }
        }
    }

    private void entry(TreePath path, @Nullable Node before, @Nullable Node after) {
        if (before == null || after == null) {
            if (before == null && after != null) {
                add(Change.Kind.ADDED, path);
                directory(path, List.of(), after.children());
            } else if (before != null) {
                add(Change.Kind.DELETED, path);
                directory(path, before.children(), List.of());
            }
            return;
        }
        if (before.equals(after)) {
            return;
        }
        int mode = before.metadata().mode() ^ after.metadata().mode();
        if ((mode & ~PERMISSIONS) != 0
                || !before.hash().equals(after.hash())
                || !before.target().equals(after.target())) {
            add(Change.Kind.MODIFIED, path);
        } else if (mode != 0
                || !before.metadata().attributes().equals(after.metadata().attributes())) {
            add(Change.Kind.MODE, path);
        }
        directory(path, before.children(), after.children());
    }

    private void add(Change.Kind kind, TreePath path) {
        changes.add(new Change(kind, path));
    }
}
