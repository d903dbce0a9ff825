package dev.paddock.benchmarks.workspace;

import dev.paddock.benchmarks.measure.Scope;
import dev.paddock.benchmarks.measure.Script;
import dev.paddock.benchmarks.measure.SmallJvm;
import dev.paddock.benchmarks.row.BenchmarkWorktree;
import dev.paddock.benchmarks.row.Entry;
import dev.paddock.benchmarks.row.FileTrees;
import dev.paddock.benchmarks.row.Row;
import dev.paddock.benchmarks.row.TimedRow;
import dev.paddock.benchmarks.row.Trees;
import dev.paddock.harness.workspace.snapshot.Snapshots;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Takes, compares and restores snapshots of a tree, and does the same by git, restic, borg and
 * {@code docker commit}, where these are installed.
 *
 * @param tree the tree, which nobody changes
 * @param image the image of the container whose layer the tree becomes
 */
record SnapshotRows(Path tree, String image) {
    static final String FIRST = "first snapshot";
    static final String UNCHANGED = "snapshot, unchanged";
    static final String UNCHANGED_JVM = "snapshot, unchanged, in a fresh JVM";

    private static final int SIZE = 500;
    private static final String IN_TREE = "git --git-dir=\"$STORE\" --work-tree=\"$TREE\" ";

    /** Makes the tree. */
    static SnapshotRows make(Scope scope, int files) throws IOException {
        return new SnapshotRows(
                Trees.fill(scope.place().fresh("tree-"), files, SIZE),
                scope.settings().image());
    }

    /** A program that keeps versions of a tree, as scripts with TREE, STORE and OUT in their environment. */
    private enum Other {
        GIT(
                "git",
                "git init -q --bare \"$STORE\"",
                IN_TREE + "add .",
                IN_TREE + "status --porcelain -uall",
                IN_TREE + "checkout-index -a --prefix=\"$OUT/\""),
        RESTIC(
                "restic",
                "restic init -q",
                "cd \"$TREE\"; restic backup -q .",
                "cd \"$TREE\"; restic backup -q .",
                "restic restore -q latest --target \"$OUT\""),
        BORG(
                "borg",
                "borg init -e none",
                "cd \"$TREE\"; borg create \"::$(date +%s%N)\" .",
                "cd \"$TREE\"; borg create \"::$(date +%s%N)\" .",
                "mkdir \"$OUT\"; cd \"$OUT\"; borg extract \"::$(borg list --last 1 --short)\"");

        private final String program;
        private final String init;
        private final String first;
        private final String again;
        private final String restore;

        Other(String program, String init, String first, String again, String restore) {
            this.program = program;
            this.init = init;
            this.first = first;
            this.again = again;
            this.restore = restore;
        }

        /** Returns its scripts' environment; fails if it is not installed. */
        Script in(Path directory, Path tree) throws IOException {
            Path store = directory.resolve("store");
            Script script = new Script(
                    directory,
                    Map.of(
                            "TREE", tree.toString(),
                            "STORE", store.toString(),
                            "OUT", directory.resolve("out").toString(),
                            "GIT_CONFIG_GLOBAL", "/dev/null",
                            "RESTIC_REPOSITORY", store.toString(),
                            "RESTIC_PASSWORD", "bench",
                            "RESTIC_CACHE_DIR", directory.resolve("cache").toString(),
                            "BORG_REPO", store.toString(),
                            "BORG_BASE_DIR", directory.resolve("cache").toString(),
                            "BORG_UNKNOWN_UNENCRYPTED_REPO_ACCESS_IS_OK", "yes"));
            script.run("command -v " + program + " >/dev/null || { echo " + program + " is not installed; exit 1; }");
            return script;
        }
    }

    /** Returns the rows that take the first snapshot of the tree, each in a new store. */
    List<Entry> first() {
        List<Entry> rows = new ArrayList<>();
        rows.add(new Entry("first", FIRST, place -> {
            Path in = place.fresh("first-");
            return TimedRow.slow(TimedRow.timing(
                    new Script(in, Map.of()).action("sync -f ."),
                    () -> snapshots(in).snapshot(""),
                    () -> FileTrees.delete(in.resolve("store"))));
        }));
        for (Other other : Other.values()) {
            rows.add(entry("first", other, other.program + ", the first time", place -> {
                Script script = other.in(place.fresh("first-"), tree);
                return TimedRow.slow(TimedRow.timing(
                        script.action(other.init + "; sync -f ."),
                        script.action(other.first),
                        script.action("rm -rf \"$STORE\" cache")));
            }));
        }
        rows.add(new Entry("first-docker", "docker commit", this::dockerCommit));
        return rows;
    }

    private static Entry entry(String group, Other other, String label, Entry.Opening opening) {
        return new Entry(group + "-" + other.program, label, opening);
    }

    private Row dockerCommit(BenchmarkWorktree place) throws IOException {
        Script script = new Script(place.fresh("docker-"), Map.of("TREE", tree.toString(), "IMAGE", image));
        script.run("docker version >/dev/null");
        String container = script.run("docker create \"$IMAGE\" true");
        try {
            script.run("docker cp \"$TREE\" " + container + ":/tree");
        } catch (IOException fault) {
            script.run("docker rm " + container);
            throw fault;
        }
        Row row = TimedRow.slow(TimedRow.timing(
                script.action("sync -f ."),
                script.action("docker commit " + container + " > made"),
                script.action("docker rmi \"$(cat made)\"")));
        return new Row() {
            @Override
            public Times run(String command) throws IOException {
                return row.run(command);
            }

            @Override
            public void close() {
                try {
                    script.run("docker rm " + container);
                } catch (IOException fault) {
                    throw new UncheckedIOException("a container is left behind: " + container, fault);
                }
            }
        };
    }

    private Snapshots snapshots(Path in) throws IOException {
        return Snapshots.of(tree).store(in.resolve("store")).open();
    }

    /** Returns the rows that take another snapshot of the tree, in which nothing has changed. */
    List<Entry> unchanged() {
        List<Entry> rows = new ArrayList<>();
        rows.add(new Entry("unchanged", UNCHANGED, place -> {
            Snapshots snapshots = snapshots(place.fresh("unchanged-"));
            return TimedRow.of(
                    TimedRow.timing(TimedRow.Action.NONE, () -> snapshots.snapshot(""), TimedRow.Action.NONE));
        }));
        rows.add(new Entry("unchanged-jvm", UNCHANGED_JVM, place -> {
            Path in = place.fresh("unchanged-");
            snapshots(in).snapshot("");
            return TimedRow.of(() -> (long) (1e6
                    * SmallJvm.run(
                                    "2g",
                                    SnapshotProgram.class,
                                    tree.toString(),
                                    in.resolve("store").toString())
                            .getFirst()));
        }));
        for (Other other : Other.values()) {
            String label = other == Other.GIT ? "git status" : other.program + ", unchanged";
            rows.add(entry("unchanged", other, label, place -> {
                Script script = other.in(place.fresh("unchanged-"), tree);
                script.run(other.init + "; " + other.first);
                return TimedRow.of(
                        TimedRow.timing(TimedRow.Action.NONE, script.action(other.again), TimedRow.Action.NONE));
            }));
        }
        return rows;
    }

    /** Returns the rows that compare two snapshots, between which some files have changed. */
    List<Entry> changes() {
        return List.of(
                new Entry("changes", "changes between two snapshots", place -> {
                    Snapshots snapshots = snapshots(place.fresh("changes-"));
                    String before = snapshots.snapshot("before").id();
                    Path added = Files.createFile(tree.resolve("added"));
                    String after = snapshots.snapshot("after").id();
                    Files.delete(added);
                    return TimedRow.of(TimedRow.timing(
                            TimedRow.Action.NONE, () -> snapshots.changes(before, after), TimedRow.Action.NONE));
                }),
                new Entry("changes" + Workspaces.GIT, "git diff of two trees", place -> {
                    Script script = Other.GIT.in(place.fresh("changes-"), tree);
                    script.run(Other.GIT.init + "; " + Other.GIT.first + "; " + IN_TREE + "write-tree > before;"
                            + " touch \"$TREE/added\"; " + IN_TREE + "add .; " + IN_TREE
                            + "write-tree > after; rm \"$TREE/added\"");
                    return TimedRow.of(TimedRow.timing(
                            TimedRow.Action.NONE,
                            script.action(IN_TREE + "diff-tree -r --name-status $(cat before) $(cat after)"),
                            TimedRow.Action.NONE));
                }));
    }

    /** Returns the rows that restore the tree to a new directory. */
    List<Entry> restores() {
        List<Entry> rows = new ArrayList<>();
        rows.add(new Entry("restore", "restore of all files", place -> {
            Path in = place.fresh("restore-");
            Snapshots snapshots = snapshots(in);
            String id = snapshots.snapshot("").id();
            return TimedRow.slow(TimedRow.timing(
                    new Script(in, Map.of()).action("sync -f ."),
                    () -> snapshots.restore(id, in.resolve("out")),
                    () -> FileTrees.delete(in.resolve("out"))));
        }));
        for (Other other : Other.values()) {
            String label = other == Other.GIT ? "git checkout-index" : other.program + ", restore";
            rows.add(entry("restore", other, label, place -> {
                Script script = other.in(place.fresh("restore-"), tree);
                script.run(other.init + "; " + other.first);
                return TimedRow.slow(TimedRow.timing(
                        script.action("sync -f ."), script.action(other.restore), script.action("rm -rf \"$OUT\"")));
            }));
        }
        return rows;
    }
}
