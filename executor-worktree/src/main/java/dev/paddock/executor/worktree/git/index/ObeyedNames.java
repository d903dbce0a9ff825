package dev.paddock.executor.worktree.git.index;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.paddock.executor.worktree.files.NameSkeleton;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Selects the entries of an index that a checkout writes where programs of the host obey them. */
public final class ObeyedNames {
    public static final ObeyedNames NONE = new ObeyedNames(List.of());

    /** The skeletons of the names by those of their first parts. */
    private final Map<String, List<String>> byFirst = new HashMap<>();

    /** The first characters of the names, each with the lengths of the first parts that start with it. */
    private final long[] lengths = new long[0x80];

    /**
     * Creates a selection.
     *
     * @param names paths relative to the worktree
     */
    public ObeyedNames(Collection<String> names) {
        for (String name : names) {
            String skeleton = NameSkeleton.of(name);
            String first = skeleton.substring(0, firstPart(skeleton));
            if (!first.isEmpty()) {
                byFirst.computeIfAbsent(first, part -> new ArrayList<>()).add(skeleton);
                lengths[first.charAt(0)] |= 1L << first.length();
                lengths[Character.toUpperCase(first.charAt(0))] |= 1L << first.length();
            }
        }
    }

    private static int firstPart(String path) {
        int end = path.indexOf('/');
        return end < 0 ? path.length() : end;
    }

    /** Returns whether an entry has one of the names, lies below one, or replaces a directory above one. */
    boolean cover(byte[] bytes, int from, int to) {
        int end = from;
        boolean ascii = true;
        while (end < to && bytes[end] != '/') {
            ascii &= bytes[end] >= 0;
            end++;
        }
        // Rejects most names without allocating.
        if (ascii && (lengths[bytes[from]] & 1L << (end - from)) == 0) {
            return false;
        }
        String path = NameSkeleton.ofBytes(new String(bytes, from, to - from, ISO_8859_1));
        return byFirst.getOrDefault(path.substring(0, firstPart(path)), List.of()).stream()
                .anyMatch(name -> path.equals(name) || path.startsWith(name + "/") || name.startsWith(path + "/"));
    }
}
