package dev.paddock.executor.worktree;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.paddock.executor.path.PathBytes;
import dev.paddock.executor.worktree.files.FileStatus;
import dev.paddock.executor.worktree.files.NameSkeleton;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Records the files and directories with protected names, wherever they are, and which of them no command of this
 * session created. Those are the user's: when a command makes a repository of their directory, they stay.
 *
 * <p>Not thread-safe; guarded by the guard's lock.
 */
final class OwnEntries {
    /** The skeletons of the last parts of the names, a cheap filter for entries. */
    private final Set<String> skeletons = new HashSet<>();

    /** The names without a unique skeleton. */
    private final Set<String> others = new HashSet<>();

    private static final char NOT_ASCII = '\u0080';

    private final String initials;

    /** The entries, with their identities. */
    private final NavigableMap<Path, String> present = new TreeMap<>();

    /** Those from before the commands; empty if no command has begun. */
    private Optional<Map<Path, String>> users = Optional.empty();

    private Map<Path, String> commands = Map.of();

    /**
     * Starts with no entries.
     *
     * @param protectedNames relative paths
     */
    OwnEntries(Set<String> protectedNames) {
        for (String name : protectedNames) {
            String path = name.endsWith("/") ? name.substring(0, name.length() - 1) : name;
            String last = path.substring(path.lastIndexOf('/') + 1); // a locale may have no Path of these characters
            if (!GuardedPaths.isInDotGit(name) && !last.isEmpty()) {
                String skeleton = NameSkeleton.of(last);
                (skeleton.isEmpty() ? others : skeletons).add(skeleton.isEmpty() ? last : skeleton);
            }
        }
        String initials =
                skeletons.stream().map(name -> name.substring(0, 1)).distinct().collect(Collectors.joining());
        this.initials = initials + initials.toUpperCase(Locale.ROOT) + NOT_ASCII;
    }

    /** Returns the first characters of the names in every case, and one that is not ASCII. */
    String initials() {
        return initials;
    }

    /**
     * Returns whether an entry may have one of the names.
     *
     * @param name its name as {@link PathBytes bytes}
     */
    boolean mayBeNamed(String name) {
        return skeletons.contains(NameSkeleton.ofBytes(name))
                || (!others.isEmpty() && others.contains(new String(name.getBytes(ISO_8859_1), UTF_8)));
    }

    boolean isNamed(Path entry) {
        Path name = entry.getFileName();
        return name != null && mayBeNamed(PathBytes.of(name));
    }

    void add(Path entry, FileStatus status) {
        if (isNamed(entry)) {
            present.put(entry, status.identity());
        }
    }

    /** Forgets an entry that no longer exists, and those below it. */
    void remove(Path entry) {
        // In path order, descendants follow, mixed with siblings that share the prefix.
        Iterator<Path> from = present.tailMap(entry, true).keySet().iterator();
        while (from.hasNext()) {
            Path path = from.next();
            if (!path.toString().startsWith(entry.toString())) {
                return;
            }
            if (path.startsWith(entry)) {
                from.remove();
            }
        }
    }

    /** Forgets all present entries, which are about to be read again. */
    void clear() {
        present.clear();
    }

    /**
     * Begins commands.
     *
     * @param alone whether no command of another session is live, which may have created entries
     */
    void begin(boolean alone) {
        if (alone || users.isEmpty()) {
            Map<Path, String> others = new HashMap<>(present);
            others.entrySet().removeAll(commands.entrySet());
            users = Optional.of(others);
        }
    }

    /** Attributes the entries that appeared since the last begin to commands. */
    void settled() {
        if (users.isPresent()) {
            commands = new HashMap<>(present);
            commands.entrySet().removeIf(entry -> contains(entry.getKey(), entry.getValue()));
        }
    }

    /**
     * Returns whether a file or directory existed before the commands, here or under another path.
     *
     * @param identity its identity now
     */
    boolean contains(Path path, String identity) {
        return users.filter(known -> known.containsKey(path) || known.containsValue(identity))
                .isPresent();
    }
}
