package dev.paddock.executor.worktree.git;

import dev.paddock.executor.worktree.git.IndexBuilder.Entry;
import dev.paddock.executor.worktree.git.IndexBuilder.Extension;
import java.util.Arrays;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** Makes defective indexes of a valid one, each with one defect. */
final class IndexDefects {
    /** The names of files that no checkout may write; {@code %o} is a directory outside the worktree. */
    static final List<String> NAMES = List.of(
            "%o/absolute",
            "../above",
            "zz/../../above",
            "zz/..",
            "./zz",
            "zz/.",
            "..",
            ".",
            "zz//x",
            "zz/",
            ".git",
            ".git/hooks/post-checkout",
            ".git/config",
            ".GIT/hooks/post-checkout",
            ".Git/x",
            "zz/.git/hooks/post-checkout",
            "zz/.gIT",
            "git~1/hooks/x",
            "GIT~1",
            "zz/git~1 .",
            ".git /hooks/x",
            ".git.../x",
            ".git. .",
            ".git::$INDEX_ALLOCATION/x",
            ".git:x",
            "zz\\.git\\hooks\\x",
            ".git\\x",
            "zz\\git~1",
            ".g\u00e2\u0080\u008cit/config",
            "\u00ef\u00bb\u00bf.git/x",
            ".gi\u00e2\u0081\u00aft\u00e2\u0080\u00ae",
            "zz" + "/zz".repeat(1365));

    /** Names that no symbolic link may have, and files may. */
    static final List<String> LINKS = List.of(
            ".gitmodules",
            "zz/.GITMODULES",
            ".gitmodules ",
            ".gitmodules:x",
            "gitmod~1",
            "zz/GITMOD~4.",
            "gi7eba~1",
            "gi7eb~23",
            "GI7E~123",
            "~1000000",
            "zz\\.gitmodules",
            ".gitm\u00e2\u0080\u008dodules");

    private static final List<Integer> MODES =
            List.of(0, 0100664, 0100600, 0100777, 0120777, 0040000, 0160001, 0300755, 0100000, 010644, -1);

    private final IndexBuilder valid;
    private final Random random;
    private final Map<String, byte[]> all = new LinkedHashMap<>();

    private IndexDefects(IndexBuilder valid, Random random) {
        this.valid = valid;
        this.random = random;
    }

    /**
     * Returns an index for each defect that is possible.
     *
     * @param valid an index that is not split
     * @param outside a directory outside the worktree
     */
    static Map<String, byte[]> of(IndexBuilder valid, String outside, Random random) {
        IndexDefects defects = new IndexDefects(valid, random);
        NAMES.forEach(name -> defects.name(name.replace("%o", outside), IndexBuilder.FILE));
        LINKS.forEach(name -> defects.name(name, IndexBuilder.LINK));
        MODES.forEach(mode -> defects.entry("mode " + Integer.toOctalString(mode), entry -> entry.inMode(mode)));
        defects.addOrder();
        defects.addLayout();
        defects.addBytes();
        defects.addExtensions();
        return defects.all;
    }

    /** Adds an index that a change of the valid one makes. */
    private void change(String defect, Consumer<IndexBuilder> change) {
        IndexBuilder copy = IndexGenerator.copy(valid);
        copy.extensions.removeIf(extension -> List.of("TREE", "FSMN").contains(extension.name()));
        change.accept(copy);
        all.put(defect, copy.build());
    }

    private void name(String name, int mode) {
        change("the name " + name + " in mode " + Integer.toOctalString(mode), index -> {
            index.entries.add(Entry.of(name, mode));
            index.sort();
        });
    }

    private void entry(String defect, UnaryOperator<Entry> change) {
        int some = random.nextInt(valid.entries.size());
        change(defect, index -> index.entries.set(some, change.apply(index.entries.get(some))));
    }

    private void addOrder() {
        Entry file = Entry.of("\u00ff", IndexBuilder.FILE);
        change("two entries exchanged", index -> {
            index.entries.add(Entry.of("\u00ffz", IndexBuilder.FILE));
            index.entries.add(file);
        });
        change("an entry twice", index -> index.entries.addAll(List.of(file, file)));
        change("a conflict of a merged file", index -> index.entries.addAll(List.of(file, file.inStage(2))));
        change("stages exchanged", index -> index.entries.addAll(List.of(file.inStage(3), file.inStage(2))));
        change("a stage twice", index -> index.entries.addAll(List.of(file.inStage(2), file.inStage(2))));
        change("a file below a file", index -> index.entries.addAll(List.of(file, file.named("\u00ff/x"))));
        change(
                "a file below a link",
                index -> index.entries.addAll(
                        List.of(file.inMode(IndexBuilder.LINK), file.named("\u00ff-x"), file.named("\u00ff/x"))));
        change("an entry without a name", index -> index.entries.add(0, file.named("")));
    }

    private void addLayout() {
        change("one entry too few", index -> index.countError = 1);
        change("one entry too many", index -> index.countError = -1);
        change("more entries than bytes", index -> index.countError = Integer.MIN_VALUE);
        change("version 1", index -> index.version = 1);
        change("version 5", index -> index.version = 5);
        entry("a length too large", entry -> entry.withLengthError(entry.name().length() >= 0xfff ? -1 : 1));
        entry("a length too small", entry -> entry.withLengthError(-1));
        change("a NUL in a name", index -> index.entries.add(Entry.of("\u00ff\0x", IndexBuilder.FILE)));
        if (valid.version < 4) {
            entry("other padding", entry -> entry.padded("x".repeat(8)));
            entry("no padding", entry -> entry.padded(""));
        } else {
            entry("too much dropped", entry -> entry.withDropError(5000));
            entry("more dropped than a number holds", entry -> entry.withDropError(Integer.MAX_VALUE / 2));
        }
        if (valid.version == 2) {
            entry("further flags in version 2", entry -> entry.with(IndexBuilder.SKIP_WORKTREE));
        } else {
            entry("an unknown flag", entry -> entry.with(0x1000));
            entry("the reserved flag", entry -> entry.with(0x8000));
            Entry directory = Entry.of("zz/", IndexBuilder.DIRECTORY);
            change("a directory", index -> {
                index.entries.add(directory.with(IndexBuilder.SKIP_WORKTREE));
                index.sort();
            });
            sparse("a directory that is not skipped", directory.with(0x2000));
            sparse("a directory without a slash", directory.named("zz").with(IndexBuilder.SKIP_WORKTREE));
            sparse("the directory .git", directory.named(".git/").with(IndexBuilder.SKIP_WORKTREE));
            sparse("a file with a slash", directory.inMode(IndexBuilder.FILE).with(IndexBuilder.SKIP_WORKTREE));
        }
    }

    private void sparse(String defect, Entry entry) {
        change(defect, index -> {
            index.entries.add(entry);
            index.sort();
            index.extension("sdir", "");
        });
    }

    private void addBytes() {
        byte[] whole = valid.build();
        byte[] changed = whole.clone();
        changed[random.nextInt(whole.length)] ^= (byte) (1 << random.nextInt(8));
        all.put("a bit", changed);
        byte[] magic = whole.clone();
        magic[0] = 'd';
        all.put("the first byte", magic);
        all.put("the end cut off", Arrays.copyOf(whole, random.nextInt(whole.length)));
        all.put("an end added", Arrays.copyOf(whole, whole.length + 1 + random.nextInt(40)));
    }

    private void extension(String defect, String name, String content) {
        change(defect, index -> {
            index.extensions.removeIf(extension -> extension.name().equals(name));
            index.extension(name, content);
        });
    }

    private void addExtensions() {
        String object = IndexBuilder.bytes(valid.object);
        int entries = valid.entries.size();
        extension("an unknown extension", "abcd", "x");
        extension("an unknown optional extension", "ABCD", "x");
        change("an extension twice", index -> {
            index.extensions.add(new Extension("sdir", ""));
            index.extensions.add(new Extension("sdir", ""));
        });
        if (valid.blocks > 0) {
            change("other offsets", index -> index.offsetError = 8);
        } else {
            extension("the end of the entries elsewhere", "EOIE", IndexBuilder.number(12) + object);
            extension(
                    "a table of other entries",
                    "IEOT",
                    IndexBuilder.number(1) + IndexBuilder.number(13) + IndexBuilder.number(entries));
            extension(
                    "a table of too few entries",
                    "IEOT",
                    IndexBuilder.number(1) + IndexBuilder.number(12) + IndexBuilder.number(entries - 1));
        }
        addTrees(object, entries);
        for (String name : List.of("../x", ".git/config", "/x", "")) {
            extension("conflict of " + name, "REUC", name + "\0" + "100644\0" + "0\0" + "0\0" + object);
        }
        extension("conflict of a link", "REUC", ".gitmodules\0" + "120000\0" + "0\0" + "0\0" + object);
        extension("conflict in an odd mode", "REUC", "zz\0" + "100600\0" + "0\0" + "0\0" + object);
        extension("conflict without an object", "REUC", "zz\0" + "100644\0" + "100644\0" + "0\0" + object);
        for (String name : List.of("..", ".", ".git", "a/b", "", "../")) {
            extension("untracked " + name, "UNTR", IndexGenerator.untracked(valid, ".gitignore", name));
        }
        extension("patterns from elsewhere", "UNTR", IndexGenerator.untracked(valid, "../../patterns", "a"));
        extension(
                "untracked of elsewhere",
                "UNTR",
                IndexGenerator.untracked(valid, ".gitignore", "a").replace("Location", "location"));
        extension("untracked that is longer", "UNTR", IndexGenerator.untracked(valid, ".gitignore", "a") + "\0");
        extension(
                "untracked that is shorter",
                "UNTR",
                IndexGenerator.untracked(valid, ".gitignore", "a").substring(0, 200));
        for (String token : List.of("-x", "c:$(x)", "c:\"", "c:\n", "c: x")) {
            extension("the token " + token, "FSMN", IndexGenerator.monitor(valid, token, 0));
        }
        extension("changes of more entries than there are", "FSMN", IndexGenerator.monitor(valid, "c", entries + 1));
        extension(
                "another monitor",
                "FSMN",
                IndexBuilder.number(3) + IndexGenerator.monitor(valid, "c", 1).substring(4));
        addLinks(object);
    }

    private void addTrees(String object, int entries) {
        String root = "\0" + entries + " 1\n" + object;
        for (String name : List.of(".git", "..", ".", "", "zz", "a/b", "GIT~1")) {
            extension("the tree " + name, "TREE", root + name + "\0" + (name.equals("zz") ? 1 : -1) + " 0\n" + object);
        }
        extension("a tree of more entries", "TREE", "\0" + (entries + 1) + " 0\n" + object);
        extension("a tree of fewer entries", "TREE", "\0" + (entries - 1) + " 0\n" + object);
        extension("a tree with a name", "TREE", "zz\0" + entries + " 0\n" + object);
        extension("a tree that is too short", "TREE", "\0" + entries + " 2\n" + object);
        extension("a tree that is too long", "TREE", "\0" + entries + " 0\n" + object + "x");
        extension("a tree with an odd number", "TREE", "\0+" + entries + " 0\n" + object);
        String child = "\0-1 0\n";
        extension("trees exchanged", "TREE", "\0-1 2\nb" + child + "a" + child);
    }

    private void addLinks(String object) {
        String none = IndexBuilder.bitmap(new BitSet());
        BitSet one = new BitSet();
        one.set(0);
        extension("a shared index that does not exist", "link", object + none + none);
        extension("a bit of no shared index", "link", "\0".repeat(object.length()) + IndexBuilder.bitmap(one) + none);
        extension("a shared index without bitmaps", "link", object);
        extension("a bitmap that is too short", "link", object + none + none.substring(1));
        extension("a bitmap that is too long", "link", object + none + none + "x");
        String literals = IndexBuilder.number(64)
                + IndexBuilder.number(1)
                + IndexBuilder.number(2)
                + IndexBuilder.number(0)
                + IndexBuilder.number(0);
        extension("a bitmap with more words than it has", "link", object + literals + none);
    }
}
