package dev.paddock.executor.worktree.git;

import dev.paddock.executor.worktree.git.IndexBuilder.Entry;
import dev.paddock.executor.worktree.git.index.HashFormat;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;

/** Generates index files that git takes, and the same ones with one defect. */
final class IndexGenerator {
    private static final List<String> NAMES = List.of(
            "a",
            "a-b",
            "a.b",
            "ab",
            "b",
            "dir",
            "src",
            "x.txt",
            "\u00c3\u00a9",
            "sp ace",
            "back\\slash",
            "git",
            "git~2",
            ".gitignore",
            ".github",
            ".gitmodules",
            ".git2",
            "gitmod~1",
            "gi7eba~1",
            "~1000000",
            "..a",
            "...",
            "C:",
            "\u00e2\u0080\u008c");

    private final Random random;

    IndexGenerator(Random random) {
        this.random = random;
    }

    /** An index, and the one that it is based on, if it is split. */
    record Split(IndexBuilder index, Optional<IndexBuilder> shared) {}

    /**
     * Generates an index.
     *
     * @param object the name of a blob
     */
    IndexBuilder valid(HashFormat format, String object) {
        IndexBuilder index = new IndexBuilder();
        index.format = format;
        index.object = object;
        index.version = 2 + random.nextInt(3);
        Set<String> files = new HashSet<>();
        Set<String> directories = new HashSet<>();
        for (int count = 3 + random.nextInt(10); index.entries.size() < count; ) {
            String name = name();
            if (!directories.contains(name) && parents(name).stream().noneMatch(files::contains) && files.add(name)) {
                directories.addAll(parents(name));
                add(index, name);
            }
        }
        index.sort();
        index.blocks = random.nextBoolean() ? 1 + random.nextInt(4) : 0;
        if (random.nextBoolean()) {
            index.extension("TREE", tree(index));
        }
        if (random.nextBoolean()) {
            index.extension(
                    "REUC",
                    "a/b\0" + "100644\0" + "0\0" + "120000\0"
                            + IndexBuilder.bytes(object).repeat(2));
        }
        if (random.nextBoolean()) {
            index.extension("UNTR", untracked(index, ".gitignore", "a", "b/"));
        }
        if (random.nextBoolean()) {
            index.extension("FSMN", monitor(index, "c:1:2", index.entries.size()));
        }
        return index;
    }

    private void add(IndexBuilder index, String name) {
        boolean link = !name.toLowerCase(Locale.ROOT).contains("git") && !name.contains("~") && random.nextInt(5) == 0;
        int mode = link ? IndexBuilder.LINK : random.nextBoolean() ? IndexBuilder.FILE : 0100755;
        Entry entry =
                Entry.of(name, mode).with(index.version > 2 && random.nextInt(4) == 0 ? IndexBuilder.SKIP_WORKTREE : 0);
        if (random.nextInt(6) > 0) {
            index.entries.add(entry);
            return;
        }
        for (int stage = 1; stage <= 3; stage++) {
            if (stage == 2 || random.nextBoolean()) {
                index.entries.add(entry.inStage(stage));
            }
        }
    }

    private String name() {
        List<String> parts = new ArrayList<>();
        for (int depth = 1 + random.nextInt(3); depth > 0; depth--) {
            parts.add(NAMES.get(random.nextInt(NAMES.size())));
        }
        String name = String.join("/", parts);
        return random.nextInt(40) == 0 ? name + "-" + "long/".repeat(810) + "x" : name;
    }

    static List<String> parents(String name) {
        List<String> parents = new ArrayList<>();
        for (int slash = name.indexOf('/'); slash >= 0; slash = name.indexOf('/', slash + 1)) {
            parents.add(name.substring(0, slash));
        }
        return parents;
    }

    /** Splits an index: some entries are the shared one's, some replace those, and some are added. */
    Split split(IndexBuilder all) {
        IndexBuilder shared = copy(all);
        shared.extensions.clear();
        shared.entries.removeIf(entry -> random.nextInt(4) == 0);
        IndexBuilder own = copy(all);
        own.entries.removeAll(shared.entries);
        Entry removed = Entry.of("zz", IndexBuilder.FILE);
        shared.entries.add(removed);
        shared.sort();
        BitSet deleted = new BitSet();
        deleted.set(shared.entries.indexOf(removed));
        BitSet replaced = new BitSet();
        for (int at = shared.entries.size() - 1; at >= 0; at--) {
            if (!deleted.get(at) && random.nextInt(3) == 0) {
                replaced.set(at);
                own.entries.add(0, shared.entries.get(at).named(""));
            }
        }
        String checksum = shared.checksum(shared.build());
        String link = IndexBuilder.bytes(checksum) + IndexBuilder.bitmap(deleted) + IndexBuilder.bitmap(replaced);
        own.extensions.add(0, new IndexBuilder.Extension("link", link));
        return new Split(own, Optional.of(shared));
    }

    static IndexBuilder copy(IndexBuilder index) {
        IndexBuilder copy = new IndexBuilder();
        copy.version = index.version;
        copy.format = index.format;
        copy.object = index.object;
        copy.blocks = index.blocks;
        copy.entries.addAll(index.entries);
        copy.extensions.addAll(index.extensions);
        return copy;
    }

    /** Returns the extension TREE with the true counts of all directories without conflicts. */
    static String tree(IndexBuilder index) {
        return tree(index, "", "");
    }

    private static String tree(IndexBuilder index, String path, String name) {
        Set<String> children =
                new TreeSet<>(Comparator.comparingInt(String::length).thenComparing(child -> child));
        int count = 0;
        boolean conflict = false;
        for (Entry entry : index.entries) {
            if (entry.name().startsWith(path)) {
                count++;
                conflict |= entry.stage() > 0;
                int slash = entry.name().indexOf('/', path.length());
                if (slash >= 0) {
                    children.add(entry.name().substring(path.length(), slash));
                }
            }
        }
        StringBuilder tree = new StringBuilder(name + "\0" + (conflict ? -1 : count) + " " + children.size() + "\n");
        tree.append(conflict ? "" : IndexBuilder.bytes(index.object));
        children.forEach(child -> tree.append(tree(index, path + child + "/", child)));
        return tree.toString();
    }

    /** Returns the extension UNTR with a directory of these entries, and one below it. */
    static String untracked(IndexBuilder index, String patterns, String... names) {
        String identity = "Location /elsewhere, system Linux\0";
        BitSet first = new BitSet();
        first.set(0);
        return IndexBuilder.variable(identity.length()) + identity + "\0".repeat(76 + 2 * index.hashLength()) + patterns
                + "\0" + IndexBuilder.variable(2) + IndexBuilder.variable(names.length) + IndexBuilder.variable(1)
                + "\0"
                + String.join("\0", names) + "\0" + IndexBuilder.variable(0) + IndexBuilder.variable(0) + "below\0"
                + IndexBuilder.bitmap(first) + IndexBuilder.bitmap(new BitSet()) + IndexBuilder.bitmap(first)
                + "\0".repeat(36 + index.hashLength()) + "\0";
    }

    /** Returns the extension FSMN. */
    static String monitor(IndexBuilder index, String token, int dirty) {
        BitSet bits = new BitSet();
        bits.set(0, dirty);
        String bitmap = IndexBuilder.bitmap(bits);
        return IndexBuilder.number(2) + token + "\0" + IndexBuilder.number(bitmap.length()) + bitmap;
    }
}
