package dev.paddock.harness.workspace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.paddock.harness.workspace.Change.Kind;
import dev.paddock.harness.workspace.snapshot.Snapshots;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SnapshotsTest {
    @TempDir
    Path temporary;

    private Path tree;
    private Path store;
    private Snapshots snapshots;

    @BeforeEach
    void create() throws IOException {
        temporary = temporary.toRealPath();
        tree = Files.createDirectory(temporary.resolve("tree"));
        store = temporary.resolve("store");
        snapshots = Snapshots.of(tree).store(store).open();
    }

    private Path restored(SnapshotInfo snapshot) throws IOException {
        Path target = temporary.resolve("restored-" + System.nanoTime());
        snapshots.restore(snapshot.id(), target);
        return target;
    }

    private String files() throws IOException, InterruptedException {
        return Shell.run(store, "find . -type f ! -name lock -printf '%p %s %T@ %C@ %i\\n' | sort");
    }

    @Test
    void restoresEveryPropertyOfEveryEntry() throws Exception {
        TreeCopyTest.fill(tree);
        TreeCopyTest.attributes(tree.resolve("a/one")).write("user.note", StandardCharsets.UTF_8.encode("a note"));

        SnapshotInfo taken = snapshots.snapshot("a label: \u00e4\n");
        Path copy = restored(taken);

        assertThat(Shell.listing(copy)).isEqualTo(Shell.listing(tree));
        assertThat(Shell.contents(copy)).isEqualTo(Shell.contents(tree));
        assertThat(TreeCopyTest.attributes(copy.resolve("same")).list()).containsExactly("user.note");
        assertThat(Shell.run(copy, "test $(stat -c %b sparse) -lt 1000")).isEmpty();
        assertThat(snapshots.list()).containsExactly(taken);
        assertThat(taken.label()).isEqualTo("a label: \u00e4\n");
        assertThat(taken.tree()).isEqualTo(tree);
        assertThat(taken.files()).isEqualTo(11);
        assertThat(snapshots.verify()).isEmpty();
        assertThat(store.resolve("tmp")).isEmptyDirectory();
    }

    @Test
    void holesTakeNoTime() throws Exception {
        Shell.run(
                tree,
                "printf begin >holes && printf middle | dd of=holes bs=1 seek=100000000 conv=notrunc 2>/dev/null"
                        + " && truncate -s 1T holes && truncate -s 8G none");

        Path copy = assertTimeoutPreemptively(Duration.ofSeconds(60), () -> restored(snapshots.snapshot("holes")));

        assertThat(copy.resolve("holes")).hasSize(1L << 40);
        assertThat(copy.resolve("none")).hasSize(8L << 30);
        assertThat(Shell.run(copy, "head -c 5 holes && tail -c +100000001 holes | head -c 6"))
                .isEqualTo("beginmiddle");
        assertThat(Shell.run(copy, "test $(stat -c %b holes) -lt 1000 && test $(stat -c %b none) -lt 1000"))
                .isEmpty();
        assertTimeoutPreemptively(
                Duration.ofSeconds(60), () -> assertThat(snapshots.verify()).isEmpty());
    }

    @Test
    void holesAndZerosAreOneContent() throws Exception {
        Shell.run(
                tree,
                "head -c 300000 /dev/zero >zeros && printf x >>zeros && truncate -s 300000 hole && printf x >>hole"
                        + " && truncate -s 300002 other");

        snapshots.snapshot("both");

        assertThat(Shell.run(store, "find objects -type f | wc -l").strip()).isEqualTo("2");
        assertThat(snapshots.verify()).isEmpty();
    }

    /** Without the lock two processes that create one store refuse it as foreign, or remove each other's files. */
    @Test
    void createsStoreUnderItsLock() throws Exception {
        Path fresh = Files.createDirectory(temporary.resolve("fresh"));
        Process holder = hold(fresh);
        try {
            assertThatThrownBy(() -> Snapshots.of(tree)
                            .store(fresh)
                            .lockWait(Duration.ofMillis(50))
                            .open())
                    .isInstanceOfSatisfying(
                            StoreException.class,
                            fault -> assertThat(fault.reason()).isEqualTo(StoreException.Reason.BUSY));
            assertThat(fresh).isDirectoryNotContaining("glob:**/format");
        } finally {
            release(holder);
        }
        assertThat(Snapshots.of(tree).store(fresh).open().snapshot("").id()).isNotEmpty();
    }

    /** Starts a process that holds a store's lock. */
    private static Process hold(Path of) throws IOException {
        Process holder =
                new ProcessBuilder("flock", "-x", of.resolve("lock").toString(), "sh", "-c", "echo held; cat").start();
        assertThat(holder.getInputStream().read()).isEqualTo('h');
        return holder;
    }

    private static void release(Process holder) throws Exception {
        holder.getOutputStream().close();
        holder.waitFor();
    }

    @Test
    @Tag("full")
    void severalCallersCreateOneStoreAtOnce() throws Exception {
        Files.writeString(tree.resolve("file"), "content");
        try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
            for (int round = 0; round < 25; round++) {
                Path fresh = temporary.resolve("fresh-" + round);
                Callable<String> open = () ->
                        Snapshots.of(tree).store(fresh).open().snapshot("").id();
                for (Future<String> opened : threads.invokeAll(Collections.nCopies(4, open))) {
                    assertThat(opened.get()).isNotEmpty();
                }
            }
        }
    }

    @Test
    void unchangedTreeWritesNothing() throws Exception {
        TreeCopyTest.fill(tree);
        SnapshotInfo first = snapshots.snapshot("label");
        String before = files();

        assertThat(snapshots.snapshot("label")).isEqualTo(first);
        assertThat(Snapshots.of(tree).store(store).open().snapshot("label")).isEqualTo(first);
        assertThat(files()).isEqualTo(before);

        SnapshotInfo other = snapshots.snapshot("other");
        assertThat(other.id()).isNotEqualTo(first.id());
        assertThat(files().lines()).hasSize((int) before.lines().count() + 1);
        assertThat(snapshots.changes(first.id(), other.id())).isEmpty();
    }

    @Test
    void readsOnlyWhatHasChangedAndStoresSameContentOnce() throws Exception {
        Shell.run(tree, "for i in $(seq 200); do echo $i > f$i; done; head -c 200000 /dev/urandom > large");
        snapshots.snapshot("1");
        long packs = size(store.resolve("packs"));

        Shell.run(tree, "cp large same; cp f1 g1; echo changed > f2; echo 9 > f3");
        snapshots.snapshot("2");

        assertThat(Shell.run(store, "find objects -type f").lines()).hasSize(1);
        assertThat(size(store.resolve("packs")) - packs)
                .as("one new content of eight bytes, with its index")
                .isEqualTo(8 + 32 + 8 + 4 + 4);
    }

    private static long size(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.filter(Files::isRegularFile)
                    .mapToLong(file -> file.toFile().length())
                    .sum();
        }
    }

    @Test
    void noticesChangeThatKeepsSizeAndModificationTime() throws Exception {
        Path file = Files.writeString(tree.resolve("file"), "one");
        FileTime time = Files.getLastModifiedTime(file);
        snapshots.snapshot("1");

        Files.writeString(file, "two");
        Files.setLastModifiedTime(file, time);

        assertThat(restored(snapshots.snapshot("2")).resolve("file")).hasContent("two");
    }

    @Test
    void noticesStoreThroughMappingThatWasThereBefore() throws Exception {
        Path file = Files.writeString(tree.resolve("file"), "one".repeat(5000));
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            var mapped = channel.map(FileChannel.MapMode.READ_WRITE, 0, channel.size());
            mapped.put(0, (byte) 'a'); // the page is changed, and unwritten
            SnapshotInfo first = snapshots.snapshot("1");
            mapped.put(1, (byte) 'b');
            SnapshotInfo second = snapshots.snapshot("2");

            assertThat(restored(first).resolve("file")).content().startsWith("ane");
            if (!Files.getFileStore(tree).type().equals("tmpfs")) {
                assertThat(restored(second).resolve("file")).content().startsWith("abe");
            }
        }
    }

    @Test
    void namesChanges() throws Exception {
        Shell.run(tree, """
                mkdir -p a/deep gone/deep; echo 1 > a/modified; echo 1 > a/mode; echo 1 > a/touched; echo 1 > gone/deep/x
                ln -s a link; echo 1 > becomes; ln a/modified a/twin
                """);
        SnapshotInfo from = snapshots.snapshot("from");
        Shell.run(tree, """
                echo 2 > a/modified; chmod 700 a/mode; touch a/touched; rm -r gone; mkdir -p new/deep; echo 1 > new/x
                rm link; ln -s b link; rm becomes; mkdir becomes
                """);
        SnapshotInfo to = snapshots.snapshot("to");

        assertThat(snapshots.changes(from.id(), to.id()))
                .containsExactly(
                        change(Kind.MODE, "a/mode"),
                        change(Kind.MODIFIED, "a/modified"),
                        change(Kind.MODIFIED, "a/twin"),
                        change(Kind.MODIFIED, "becomes"),
                        change(Kind.DELETED, "gone"),
                        change(Kind.DELETED, "gone/deep"),
                        change(Kind.DELETED, "gone/deep/x"),
                        change(Kind.MODIFIED, "link"),
                        change(Kind.ADDED, "new"),
                        change(Kind.ADDED, "new/deep"),
                        change(Kind.ADDED, "new/x"));
        assertThat(snapshots.changes(to.id(), to.id())).isEmpty();
    }

    private static Change change(Kind kind, String path) {
        return new Change(kind, new TreePath(path));
    }

    @Test
    void deletingFreesWhatBelongsToNoOtherSnapshot() throws Exception {
        Shell.run(
                tree,
                "for i in $(seq 100); do head -c 10000 /dev/urandom > f$i; done; head -c 300000 /dev/urandom > l");
        SnapshotInfo first = snapshots.snapshot("1");
        long all = size(store);
        Shell.run(tree, "for i in $(seq 80); do rm f$i; done; rm l");
        SnapshotInfo second = snapshots.snapshot("2");
        String contents = Shell.contents(tree);

        snapshots.delete(first.id());

        assertThat(size(store)).isLessThan(all / 5);
        assertThat(Shell.contents(restored(second))).isEqualTo(contents);
        assertThat(snapshots.verify()).isEmpty();
        assertThat(snapshots.list()).containsExactly(second);
        assertThatThrownBy(() -> snapshots.delete(first.id()))
                .isInstanceOfSatisfying(
                        StoreException.class,
                        fault -> assertThat(fault.reason()).isEqualTo(StoreException.Reason.ABSENT));
        snapshots.delete(second.id());
        assertThat(files().lines())
                .containsExactly(
                        files().lines().filter(line -> line.contains("format")).toArray(String[]::new));
    }

    @Test
    void quotaRefusesWithWhatIsNeededAndWhatIsThere() throws Exception {
        Snapshots limited = Snapshots.of(tree).store(store).maxBytes(100_000).open();
        Shell.run(tree, "head -c 30000 /dev/urandom > small");
        SnapshotInfo first = limited.snapshot("1");
        String before = files();
        Shell.run(tree, "head -c 60000 /dev/urandom > more; head -c 90000 /dev/urandom > large; cp large same");

        assertThatThrownBy(() -> limited.snapshot("2"))
                .isInstanceOfSatisfying(
                        StoreException.class,
                        fault -> assertThat(fault.reason()).isEqualTo(StoreException.Reason.QUOTA))
                .hasMessageMatching("the snapshot needs 150\\d\\d\\d bytes, and the store '" + store
                        + "' has 30\\d\\d\\d of at most 100000; delete snapshots, or raise maxBytes"
                        + " \\(of a workspace: maxSnapshotBytes\\)");
        assertThat(files()).isEqualTo(before);
        assertThat(limited.list()).containsExactly(first);
        Files.delete(tree.resolve("large"));
        Files.delete(tree.resolve("same"));
        limited.snapshot("3");
    }

    @Test
    void waitsForOthersNoLongerThanItIsTold() throws Exception {
        Snapshots impatient =
                Snapshots.of(tree).store(store).lockWait(Duration.ofMillis(50)).open();
        snapshots.snapshot("");
        Process holder = hold(store);
        try {
            assertThatThrownBy(() -> impatient.snapshot("2"))
                    .isInstanceOfSatisfying(
                            StoreException.class,
                            fault -> assertThat(fault.reason()).isEqualTo(StoreException.Reason.BUSY))
                    .hasMessageContaining(
                            "last taken by process " + ProcessHandle.current().pid());
        } finally {
            release(holder);
        }
        impatient.snapshot("2");
    }

    @Test
    void snapshotOfLinkedWorktreeIsRestoredWithRepositoryOfItsOwn() throws Exception {
        Shell.run(tree, "git init -q; echo 1 > f; git add .; git commit -qm 1; git worktree add -q ../linked");
        Path linked = temporary.resolve("linked");
        Snapshots ofLinked = Snapshots.of(linked).store(store).open();
        SnapshotInfo taken = ofLinked.snapshot("");
        assertThat(ofLinked.snapshot("")).isEqualTo(taken);
        String before = Shell.contents(tree) + Shell.listing(tree);

        Path copy = restored(taken);

        assertThat(Shell.run(copy, "git status --porcelain")).isEmpty();
        Shell.run(copy, "echo 2 > f; git commit -qam 2");
        assertThat(Shell.contents(tree) + Shell.listing(tree)).isEqualTo(before);
    }

    @Test
    void refusesStoreInTreeAndDirectoryThatIsNone() throws Exception {
        assertThatThrownBy(() -> Snapshots.of(tree).store(tree.resolve("store")).open())
                .hasMessageContaining("lie in each other");
        assertThatThrownBy(() -> Snapshots.of(tree).store(temporary).open()).hasMessageContaining("lie in each other");
        Path other = Files.createDirectory(temporary.resolve("other"));
        Files.writeString(other.resolve("file"), "x");
        assertThatThrownBy(() -> Snapshots.of(tree).store(other).open())
                .hasMessageContaining("is no store of snapshots and not empty");
        assertThat(other.resolve("file")).hasContent("x");
        Files.move(other.resolve("file"), other.resolve("lock"));
        assertThatThrownBy(() -> Snapshots.of(tree).store(other).open())
                .hasMessageContaining("is no store of snapshots and not empty");
        assertThat(other.resolve("lock")).hasContent("x");
        assertThat(Files.getAttribute(store, "unix:mode")).isEqualTo(040700);
        assertThat(List.of("../x", "", ".."))
                .allSatisfy(id -> assertThatThrownBy(() -> snapshots.delete(id)).isInstanceOf(StoreException.class));
    }

    @Test
    void severalTreesAndThreadsShareStore() throws Exception {
        TreeCopyTest.fill(tree);
        Path branch = temporary.resolve("branch");
        snapshots.branch(branch);
        List<Thread> threads = Stream.of(tree, branch, tree, branch)
                .map(of -> Thread.ofPlatform().start(() -> take(of)))
                .toList();
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(snapshots.list()).hasSize(8);
        assertThat(Shell.run(store, "find objects -type f").lines()).hasSize(2);
        assertThat(snapshots.verify()).isEmpty();
    }

    private void take(Path of) {
        try {
            Snapshots own = Snapshots.of(of).store(store).open();
            String name = Thread.currentThread().getName();
            own.snapshot(name);
            own.snapshot(name + " again");
        } catch (IOException fault) {
            throw new IllegalStateException(fault);
        }
    }
}
