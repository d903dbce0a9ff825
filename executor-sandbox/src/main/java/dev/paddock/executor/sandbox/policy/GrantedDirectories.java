package dev.paddock.executor.sandbox.policy;

import dev.paddock.executor.policy.Mount;
import dev.paddock.executor.policy.SandboxPolicy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Compares the directories that a policy grants with those that commands must not reach: Paddock's own directories, and
 * the worktree under a second name, where neither mounts nor watches would protect it. A directory mounted in two
 * places has two paths and one pair of device and inode, so both are compared. Reads the identity of each path once.
 */
final class GrantedDirectories {
    private final SandboxPolicy policy;
    private final Path worktree;
    private final Map<Path, Optional<Object>> identities = new HashMap<>();

    GrantedDirectories(SandboxPolicy policy) {
        this.policy = policy;
        this.worktree = RealPaths.of(policy.worktree().hostPath());
    }

    /** One of Paddock's own directories, and the remedy that relocates it. */
    private record Own(Path path, String name, String remedy) {}

    /**
     * Returns what the policy grants of Paddock's own directories, and of the worktree under a second name.
     *
     * @param guests the directory of the engines that later guest sessions run; empty for a user without a home. A
     *     policy may grant a directory in it, as the training of an engine needs
     */
    List<Violation> violations(Path stateDirectory, Path quarantine, Optional<Path> guests) {
        List<Violation> found = new ArrayList<>();
        Optional<Own> engines = guests.map(path ->
                new Own(RealPaths.of(path), "the engines of guests", "set XDG_CACHE_HOME to another directory"));
        Own state = new Own(
                RealPaths.of(stateDirectory),
                "Paddock's own state directory",
                "set XDG_STATE_HOME to another directory");
        Own moved = new Own(
                RealPaths.of(quarantine),
                "the quarantine for files at protected paths",
                "set the quarantine elsewhere");
        String asWorktree = "use '" + worktree + "' as the worktree";
        apart(found, asWorktree, worktree, state, "use");
        apart(found, asWorktree, worktree, moved, "use");
        engines.filter(own -> contains(worktree, own.path()))
                .ifPresent(own -> apart(found, asWorktree, worktree, own, "use"));
        for (Mount mount : policy.mounts()) {
            String asMount = "mount '" + mount.source() + "'";
            apart(found, asMount, mount.source(), state, "mount");
            if (mount.access() == Mount.Access.READ_WRITE) {
                apart(found, asMount, mount.source(), moved, "mount");
                engines.filter(own -> contains(mount.source(), own.path()))
                        .ifPresent(own -> apart(found, asMount, mount.source(), own, "mount"));
            }
            apartFromWorktree(found, asMount, mount.source());
        }
        return found;
    }

    private void apart(List<Violation> found, String what, Path granted, Own own, String verb) {
        if (contains(granted, own.path())) {
            found.add(new Violation(
                    what,
                    "it contains " + own.name() + " '" + own.path() + "'",
                    verb + " a subdirectory, or " + own.remedy()));
        } else if (contains(own.path(), granted)) {
            found.add(new Violation(
                    what,
                    "it lies in " + own.name() + " '" + own.path() + "'",
                    verb + " a directory outside of it, or " + own.remedy()));
        }
    }

    private void apartFromWorktree(List<Violation> found, String what, Path source) {
        if (isSame(source, worktree)) {
            found.add(new Violation(
                    what,
                    "it is the worktree '" + worktree + "' under a second name",
                    "leave the mount out; commands see the worktree already"));
        } else if (contains(source, worktree)) {
            found.add(new Violation(
                    what,
                    "it contains the worktree '" + worktree + "', which commands would reach under a second name",
                    "mount a directory beside the worktree"));
        }
    }

    /** Returns whether the upper directory is the lower one or its ancestor, under any name. */
    private boolean contains(Path upper, Path lower) {
        for (@Nullable Path path = lower; path != null; path = path.getParent()) {
            if (isSame(upper, path)) {
                return true;
            }
        }
        return false;
    }

    private boolean isSame(Path one, Path other) {
        if (one.equals(other)) {
            return true;
        }
        Optional<Object> identity = identities.computeIfAbsent(one, GrantedDirectories::identity);
        return identity.isPresent() && identity.equals(identities.computeIfAbsent(other, GrantedDirectories::identity));
    }

    /** Returns device and inode; empty for a missing file, and on file systems without such an identity. */
    private static Optional<Object> identity(Path path) {
        try {
            return Optional.ofNullable(
                    Files.readAttributes(path, BasicFileAttributes.class).fileKey());
        } catch (IOException absent) {
            return Optional.empty();
        }
    }
}
