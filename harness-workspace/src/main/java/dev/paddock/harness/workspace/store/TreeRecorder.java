package dev.paddock.harness.workspace.store;

import dev.paddock.executor.os.file.Status;
import dev.paddock.harness.workspace.Omission;
import dev.paddock.harness.workspace.TreePath;
import dev.paddock.harness.workspace.tree.Source;
import dev.paddock.harness.workspace.tree.TreeVisitor;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Builds the entries of a snapshot while a tree is read. Reuses unchanged entries of an
 * earlier snapshot as the same objects, so that an unchanged tree yields the earlier root.
 */
final class TreeRecorder implements TreeVisitor {
    private final Intake intake;
    private final @Nullable Node base;
    private final long baseDevice;
    private final Deque<Level> levels = new ArrayDeque<>();
    private final List<Omission> omissions = new ArrayList<>();
    private @Nullable Node root;
    private long device = -1;
    private long files;
    private long bytes;

    TreeRecorder(Intake intake, Optional<Node> base, long baseDevice) {
        this.intake = intake;
        this.base = base.orElse(null);
        this.baseDevice = baseDevice;
    }

    /** A directory being read, and its earlier state. */
    private static final class Level {
        private final Node self;
        private final @Nullable Node before;
        private final List<Node> children = new ArrayList<>();
        private int position;

        Level(Node self, @Nullable Node before) {
            this.self = self;
            this.before = before;
        }

        /** Returns an entry's earlier state; names arrive sorted. */
        @Nullable
        Node before(String name) {
            List<Node> old = before == null ? List.of() : before.children();
            while (position < old.size() && old.get(position).name().compareTo(name) < 0) {
                position++;
            }
            return position < old.size() && old.get(position).name().equals(name) ? old.get(position) : null;
        }

        Node finished() {
            if (before != null && hasSameChildren(before.children())) {
                return before.equals(self.withChildren(before.children())) ? before : self.withChildren(children);
            }
            return self.withChildren(children);
        }

        @SuppressWarnings("ReferenceEquality") // an entry that is the same object has not been read
        private boolean hasSameChildren(List<Node> old) {
            if (old.size() != children.size()) {
                return false;
            }
            for (int at = 0; at < old.size(); at++) {
                if (old.get(at) != children.get(at)) {
                    return false;
                }
            }
            return true;
        }
    }

    private @Nullable Node before(String name) {
        return levels.isEmpty() ? base : levels.element().before(name);
    }

    private boolean isStill(@Nullable Node before, Status status) {
        return before != null && status.device() == device && before.isStill(status, baseDevice);
    }

    @Override
    public void enter(String name, Status status, Source source) throws IOException {
        device = device == -1 ? status.device() : device;
        Node before = before(name);
        Map<String, String> attributes =
                before != null && isStill(before, status) ? before.metadata().attributes() : source.attributes();
        levels.push(new Level(Node.of(name, status, device, attributes), before));
    }

    @Override
    public void leave() {
        Node done = levels.pop().finished();
        if (levels.isEmpty()) {
            root = done;
        } else {
            levels.element().children.add(done);
        }
    }

    @Override
    public void file(String name, Status status, Source source) throws IOException {
        files++;
        bytes += status.size();
        Node before = before(name);
        if (before != null && isStill(before, status)) {
            levels.element().children.add(before);
            return;
        }
        Node read =
                Node.of(name, status, device, source.attributes()).withHash(intake.take(source.open(), status.size()));
        levels.element().children.add(read.equals(before) && before != null ? before : read);
    }

    @Override
    public void link(String name, Status status, Source source) throws IOException {
        Node before = before(name);
        Node read = before != null && isStill(before, status)
                ? before
                : Node.of(name, status, device, Map.of()).withTarget(source.target());
        levels.element().children.add(read.equals(before) && before != null ? before : read);
    }

    @Override
    public void omit(Omission omission) {
        omissions.add(omission);
    }

    @Override
    public void borrow(Path objects) {
        omissions.add(new Omission(
                TreePath.ROOT,
                "the objects of the repository in " + objects + ", to which a detached repository refers"));
    }

    Optional<Node> root() {
        return Optional.ofNullable(root);
    }

    List<Omission> omissions() {
        return omissions;
    }

    long device() {
        return device;
    }

    long files() {
        return files;
    }

    long bytes() {
        return bytes;
    }
}
