package dev.paddock.harness.files.workspace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.groups.Tuple.tuple;

import dev.paddock.executor.AbortController;
import dev.paddock.executor.AbortSignal;
import dev.paddock.executor.AbortedException;
import dev.paddock.executor.policy.Mount;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.policy.SandboxPolicy;
import dev.paddock.harness.files.access.AccessRules;
import dev.paddock.harness.files.access.FileException;
import dev.paddock.harness.files.access.FileException.Reason;
import dev.paddock.harness.files.access.FileRoot;
import dev.paddock.harness.files.access.PatternException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests each operation on files, with what it does and with what it refuses. */
@EnabledOnOs({OS.LINUX, OS.MAC})
class WorkspaceFilesTest extends WorkspaceFilesBench {

    @Test
    void fileIsReadAtEveryPathThatRootsShow() throws IOException {
        put(work, "a/b", "work\n");
        put(nested, "n", "nested\n");
        put(kept, "k", "kept\n");
        Files.createDirectory(data.resolve("in"));
        assertThat(text("a/b")).isEqualTo("work\n");
        assertThat(text("/work/a/./b")).isEqualTo("work\n");
        assertThat(text(work.resolve("a/b").toString())).isEqualTo("work\n");
        assertThat(text("/data/in/nested/n")).isEqualTo("nested\n");
        assertThat(text("/data/in/../one")).isEqualTo("one\n");
        assertThat(text("/kept/k")).isEqualTo("kept\n");
        assertThat(files.shown(work.resolve("a/b").toString())).isEqualTo("/work/a/b");
    }

    @Test
    void worktreeIsReadByItsOtherNameToo() throws IOException {
        put(work, "a/b", "work\n");
        SandboxPolicy policy =
                SandboxPolicy.builder(PathMapping.same(work)).alias("/linked").build();
        try (WorkspaceFiles linked =
                WorkspaceFiles.open(List.of(FileRoot.ofWorktree(policy)), AccessRules.standard())) {
            assertThat(linked.read("/linked/a/b", 100)).asString().isEqualTo("work\n");
            assertThat(linked.read(work + "/a/b", 100)).asString().isEqualTo("work\n");
            assertThatThrownBy(() -> linked.read("/linker/a/b", 100)).isInstanceOf(FileException.class);
        }
    }

    @Test
    void readRefusesWhatIsNoFileOrTooLarge() throws IOException {
        put(work, "a/b", "12345");
        assertThat(files.read("a/b", 5)).hasSize(5);
        refused(Reason.TOO_LARGE, "a/b is larger than 4 bytes: 5", () -> files.read("a/b", 4));
        refused(Reason.NOT_FOUND, "a/c", () -> files.read("a/c", 5));
        refused(Reason.NOT_FOUND, "x/y/z", () -> files.read("x/y/z", 5));
        refused(Reason.NOT_A_FILE, "a is a directory", () -> files.read("a", 5));
        refused(Reason.NOT_A_DIRECTORY, "a/b/c", () -> files.read("a/b/c", 5));
        refused(Reason.INVALID_PATH, "the path is empty", () -> files.read("", 5));
        refused(Reason.INVALID_PATH, "NUL", () -> files.read("a\0b", 5));
        refused(Reason.NO_ROOT, "/etc/passwd is outside the worktree /work", () -> files.read("/etc/passwd", 5));
        refused(Reason.OUTSIDE, "../../x", () -> files.read("../../x", 5));
        assertThatThrownBy(() -> files.read("a/b", -1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("most is negative: -1. Give 0 or more");
    }

    @Test
    void openFileStaysReadableAfterClosing() throws IOException {
        put(work, "a", "12345");
        try (SeekableByteChannel channel = files.openFile("a")) {
            files.close();
            assertThat(channel.size()).isEqualTo(5);
        }
    }

    @Test
    void writeCreatesParentsAndKeepsMode() throws IOException {
        assertThat(files.write("a/b/c", bytes("1"))).isEqualTo(new Written("a/b/c", true));
        Path file = work.resolve("a/b/c");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-x--x"));
        link(work.resolve("alias"), "a/b/c");
        assertThat(files.write("alias", bytes("2"))).isEqualTo(new Written("a/b/c", false));
        assertThat(file).hasContent("2");
        assertThat(Files.getPosixFilePermissions(file)).isEqualTo(PosixFilePermissions.fromString("rwxr-x--x"));
        assertThat(work.resolve("alias")).isSymbolicLink();
        assertThat(files.write("/data/in/nested/x/y", bytes("3")).path()).isEqualTo("/data/in/nested/x/y");
        assertThat(nested.resolve("x/y")).hasContent("3");
        assertThat(work.resolve("a/b")).isDirectoryContaining(entry -> entry.endsWith("c"));
        try (var entries = Files.list(work.resolve("a/b"))) {
            assertThat(entries).hasSize(1);
        }
    }

    @Test
    void listGivesFirstNamesAlone() throws IOException {
        for (String name : List.of("d", "b", "c", "a")) {
            put(work, name, "");
        }
        assertThat(files.list(".", 2)).extracting(Entry::path).containsExactly("a", "b");
        assertThat(files.list(".", 5)).hasSize(4);
        assertThat(files.list(".", 0)).isEmpty();
    }

    @Test
    void rootThatIsFileIsWrittenInPlace() throws IOException {
        Path one = directory.resolve("host-one");
        Object before = Files.readAttributes(one, BasicFileAttributes.class).fileKey();
        assertThat(files.write("/data/one", bytes("x")).created()).isFalse();
        assertThat(one).hasContent("x");
        assertThat(Files.readAttributes(one, BasicFileAttributes.class).fileKey())
                .isEqualTo(before);
    }

    @Test
    void writeRefusesReadOnlyRootsProtectedPathsAndDirectories() throws IOException {
        put(kept, "k", "kept\n");
        Files.createDirectory(work.resolve("d"));
        refused(Reason.NOT_WRITABLE, "/kept/k", () -> files.write("/kept/k", bytes("x")));
        refused(Reason.NOT_WRITABLE, "/kept/n/m", () -> files.write("/kept/n/m", bytes("x")));
        refused(Reason.PROTECTED, ".git/hooks/x", () -> files.write(".git/hooks/x", bytes("x")));
        refused(Reason.PROTECTED, "/data/.vscode/t", () -> files.write("/data/.vscode/t", bytes("x")));
        refused(Reason.NOT_A_FILE, "d is a directory", () -> files.write("d", bytes("x")));
        refused(Reason.NOT_A_FILE, "/work is the worktree itself", () -> files.write("/work", bytes("x")));
        refused(Reason.NOT_A_FILE, "/data is a granted directory itself", () -> files.write("/data", bytes("x")));
        refused(Reason.INVALID_PATH, "new/ ends with a slash", () -> files.write("new/", bytes("x")));
        assertThat(kept).isDirectoryContaining("glob:**/k");
        assertThat(kept.resolve("n")).doesNotExist();
        assertThat(kept.resolve("k")).hasContent("kept\n");
        AbortController aborted = new AbortController();
        aborted.abort("enough");
        assertThatThrownBy(() -> files.write("late", bytes("x"), aborted.signal()))
                .isInstanceOf(AbortedException.class);
        assertThat(work.resolve("late")).doesNotExist();
    }

    @Test
    void updateChangesContentUnlessSomethingElseDoes() throws IOException {
        Path file = put(work, "a", "old\n");
        assertThat(files.update(
                        "a", 10, old -> bytes("new " + new String(old, StandardCharsets.UTF_8)), AbortSignal.never()))
                .isEqualTo(new Written("a", false));
        assertThat(file).hasContent("new old\n");
        refused(
                Reason.CHANGED,
                "a was changed",
                () -> files.update("a", 10, old -> replaced(file), AbortSignal.never()));
        assertThat(file).hasContent("theirs, longer\n");
        refused(Reason.TOO_LARGE, "a", () -> files.update("a", 3, old -> old, AbortSignal.never()));
        refused(Reason.NOT_FOUND, "b", () -> files.update("b", 3, old -> old, AbortSignal.never()));
        assertThatThrownBy(() -> files.update("a", 100, old -> refuse(), AbortSignal.never()))
                .isInstanceOf(IllegalStateException.class);
        assertThat(file).hasContent("theirs, longer\n");
    }

    private static byte[] refuse() {
        throw new IllegalStateException("not this one");
    }

    private static byte[] replaced(Path file) {
        try {
            Files.writeString(file, "theirs, longer\n");
            return bytes("mine");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void listAndStatDescribeEntriesAndNotWhereLinksLead() throws IOException {
        put(data, "f", "12345");
        put(data, "in/nested/hidden", "x");
        put(nested, "n", "1");
        link(data.resolve("l"), outside.toString());
        Instant written = Instant.parse("2020-01-02T03:04:05Z");
        Files.setLastModifiedTime(data.resolve("f"), FileTime.from(written));
        assertThat(files.list("/data"))
                .extracting(Entry::path, Entry::kind)
                .containsExactly(
                        tuple("/data/f", Entry.Kind.FILE),
                        tuple("/data/in", Entry.Kind.DIRECTORY),
                        tuple("/data/l", Entry.Kind.LINK),
                        tuple("/data/one", Entry.Kind.FILE));
        assertThat(paths("/data/in/nested")).containsExactly("/data/in/nested/n");
        assertThat(files.stat("/data/f")).isEqualTo(new Entry("/data/f", Entry.Kind.FILE, 5, written));
        assertThat(files.stat("/data/f").name()).isEqualTo("f");
        assertThat(files.stat("/data/l").kind()).isEqualTo(Entry.Kind.LINK);
        refused(Reason.OUTSIDE, "/data/l leads", () -> files.stat("/data/l/"));
        assertThat(files.stat(".").path()).isEqualTo(".");
        assertThat(files.stat("/work").kind()).isEqualTo(Entry.Kind.DIRECTORY);
        refused(Reason.NOT_FOUND, "/data/no", () -> files.stat("/data/no"));
        refused(Reason.NOT_FOUND, "/data/no", () -> files.list("/data/no"));
        refused(Reason.NOT_A_DIRECTORY, "/data/f", () -> files.list("/data/f"));
        refused(Reason.OUTSIDE, "/data/l", () -> files.list("/data/l"));
        refused(Reason.NO_ROOT, "/etc", () -> files.list("/etc"));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void directoriesOnWayToRootAreSeenThoughHostHasNone(boolean byPath) throws IOException {
        if (byPath) {
            byPath();
        }
        put(nested, "n", "needle\n");
        assertThat(data.resolve("in")).doesNotExist();
        assertThat(files.list("/data"))
                .extracting(Entry::path, Entry::kind)
                .containsExactly(tuple("/data/in", Entry.Kind.DIRECTORY), tuple("/data/one", Entry.Kind.FILE));
        assertThat(files.list("/data/in"))
                .extracting(Entry::path, Entry::kind)
                .containsExactly(tuple("/data/in/nested", Entry.Kind.DIRECTORY));
        assertThat(files.stat("/data/in")).isEqualTo(new Entry("/data/in", Entry.Kind.DIRECTORY, 0, Instant.EPOCH));
        assertThat(files.glob(List.of("in", "n"))).containsExactly("/data/in", "/data/in/nested/n");
        assertThat(files.grep(GrepQuery.text("needle").in("/data/in"), AbortSignal.never())
                        .matches())
                .extracting(GrepResult.Line::path)
                .containsExactly("/data/in/nested/n");
        assertThat(text("/data/in/nested/../nested/n")).isEqualTo("needle\n");
        refused(Reason.NOT_FOUND, "/data/in/no", () -> files.stat("/data/in/no"));
        refused(Reason.NOT_A_FILE, "/data/in is a directory", () -> files.read("/data/in", 9));
        refused(Reason.NOT_FOUND, "/data/in", () -> files.remove("/data/in", true));
        assertThat(data.resolve("in")).as("nothing is created by looking").doesNotExist();

        files.write("/data/in/beside", bytes("made\n"));
        assertThat(data.resolve("in/beside")).hasContent("made\n");
        assertThat(paths("/data/in")).containsExactly("/data/in/beside", "/data/in/nested");
    }

    @Test
    void globSearchesAllRootsAndNamesEachEntryOnce() throws IOException {
        put(work, "src/A.java", "");
        put(work, ".gitignore", "out/\n");
        put(work, "out/B.java", "");
        put(data, "C.java", "");
        put(data, "in/nested/hidden.java", "");
        put(nested, "D.java", "");
        assertThat(files.glob(List.of("*.java", "src/**")))
                .containsExactly("/data/C.java", "/data/in/nested/D.java", "out/B.java", "src/A.java");
        files.remove("/data/in/nested/D.java", false);
        Files.move(data.resolve("in"), data.resolve("moved"));
        put(nested, "E.java", "");
        assertThat(files.glob(List.of("E.java", "one")))
                .as("also where the parent of a root is missing")
                .containsExactly("/data/in/nested/E.java", "/data/one");
        Files.createSymbolicLink(data.resolve("in"), outside);
        assertThat(files.glob(List.of("E.java"))).as("also where it is none").containsExactly("/data/in/nested/E.java");
        GlobQuery query = GlobQuery.of(List.of("*.java"));
        assertThat(files.glob(query.in(".").withoutIgnored(), AbortSignal.never())
                        .entries())
                .extracting(Entry::path)
                .containsExactly("src/A.java");
        GlobResult first = files.glob(query.in(".").most(1), AbortSignal.never());
        assertThat(first.entries()).hasSize(1);
        assertThat(first.hasMore()).isTrue();
        assertThatThrownBy(() -> files.glob(List.of("[")))
                .isInstanceOf(PatternException.class)
                .hasMessageContaining("'['");
        assertThatThrownBy(() -> files.glob(List.of())).isInstanceOf(IllegalArgumentException.class);
        refused(Reason.NOT_A_DIRECTORY, "/data/one", () -> files.glob(query.in("/data/one"), AbortSignal.never()));
    }

    @Test
    void grepReturnsLinesWithTheirPlaces() throws IOException {
        put(work, "a", "one\r\n  Two two\nthree\n");
        put(work, ".gitignore", "b\n");
        put(work, "b", "two");
        put(work, "binary", "two\0");
        put(data, "c", "x\nTWO\n");
        GrepResult found = files.grep(GrepQuery.text("two").ignoreCase(true), AbortSignal.never());
        assertThat(found.matches())
                .extracting(line ->
                        line.path() + ":" + line.number() + ":" + line.column().orElse(0) + ":" + line.text())
                .containsExactly("a:2:3:  Two two", "b:1:1:two", "/data/c:2:1:TWO");
        assertThat(found).returns(false, GrepResult::hasMore).returns(1, GrepResult::binary);
        assertThat(files.grep(GrepQuery.text("two"), AbortSignal.never()).matches())
                .extracting(GrepResult.Line::column)
                .extracting(column -> column.orElse(0))
                .containsExactly(7, 1);
        GrepResult around = files.grep(GrepQuery.regex("^ +").in("a").context(1).width(3), AbortSignal.never());
        assertThat(around.lines()).extracting(GrepResult.Line::text).containsExactly("one", "  T…", "thr…");
        assertThat(around.matches()).hasSize(1);
        GrepResult one = files.grep(GrepQuery.regex("o|O").most(1), AbortSignal.never());
        assertThat(one.lines()).hasSize(1);
        assertThat(one.hasMore()).isTrue();
        assertThat(files.grep(GrepQuery.text("two").include(List.of("b", "*.md")), AbortSignal.never())
                        .matches())
                .hasSize(1);
        assertThat(files.grep(GrepQuery.text("two").withoutIgnored(), AbortSignal.never())
                        .matches())
                .extracting(GrepResult.Line::path)
                .containsExactly("a");
        assertThatThrownBy(() -> files.grep(GrepQuery.regex("("), AbortSignal.never()))
                .isInstanceOf(PatternException.class);
        assertThatThrownBy(() -> GrepQuery.text("")).isInstanceOf(IllegalArgumentException.class);
        refused(Reason.NOT_FOUND, "no", () -> files.grep(GrepQuery.text("x").in("no"), AbortSignal.never()));
        refused(Reason.NO_ROOT, "/etc", () -> files.grep(GrepQuery.text("x").in("/etc"), AbortSignal.never()));
    }

    @Test
    void closedFilesRefuseEverything() throws IOException {
        put(work, "a", "x");
        files.close();
        files.close();
        List<ThrowingCallable> calls = List.of(
                () -> files.read("a", 5),
                () -> files.openFile("a"),
                () -> files.write("a", bytes("y")),
                () -> files.update("a", 5, old -> old, AbortSignal.never()),
                () -> files.list("."),
                () -> files.stat("a"),
                () -> files.glob(List.of("*")),
                () -> files.grep(GrepQuery.text("x"), AbortSignal.never()),
                () -> files.mkdir("d", true),
                () -> files.remove("a", true));
        calls.forEach(call -> refused(Reason.CLOSED, "cannot be used any more", call));
        byPath();
        files.close();
        calls.forEach(call -> refused(Reason.CLOSED, "cannot be used any more", call));
        assertThat(work.resolve("a")).hasContent("x");
    }

    @Test
    void rootsAreCheckedWhenTheyAreOpened() throws IOException {
        FileRoot first = new FileRoot("/work", work, Mount.Access.READ_WRITE);
        assertThatThrownBy(() -> WorkspaceFiles.open(List.of(), AccessRules.standard()))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new FileRoot("work", work, Mount.Access.READ_WRITE))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'work'");
        Path alias = Files.createSymbolicLink(directory.resolve("alias"), data);
        assertThatThrownBy(() -> WorkspaceFiles.open(
                        List.of(first, new FileRoot("/data", alias, Mount.Access.READ_ONLY)), AccessRules.standard()))
                .isInstanceOf(UncheckedIOException.class)
                .hasRootCauseMessage(alias + ": leads through a symbolic link; grant the real path instead");
        assertThatThrownBy(() -> WorkspaceFiles.open(
                        List.of(new FileRoot("/work", directory.resolve("no"), Mount.Access.READ_WRITE)),
                        AccessRules.standard()))
                .isInstanceOf(UncheckedIOException.class);
        try (WorkspaceFiles aliased = WorkspaceFiles.open(
                List.of(new FileRoot("/", alias, Mount.Access.READ_WRITE)), AccessRules.standard())) {
            aliased.write("/a/b", bytes("x"));
            assertThat(aliased.list("/a")).extracting(Entry::path).containsExactly("a/b");
            assertThat(aliased.read("../../a/b", 5)).hasSize(1);
            refused(Reason.NOT_FOUND, "/etc/passwd", () -> aliased.read("/etc/passwd", 5));
        }
        assertThat(data.resolve("a/b")).hasContent("x");
    }

    @Test
    void failureOfFileSystemNamesPathAsShown() throws IOException {
        put(work, "locked/f", "x");
        Files.setPosixFilePermissions(work.resolve("locked"), PosixFilePermissions.fromString("r-x------"));
        try {
            FileException e = catchThrowableOfType(
                    FileException.class,
                    () -> files.remove(work.resolve("locked/f").toString(), false));
            if (e != null) { // root may do it
                assertThat(e.reason()).isEqualTo(Reason.PERMISSION_DENIED);
                assertThat(e).hasMessageNotContaining("host-work");
            }
        } finally {
            Files.setPosixFilePermissions(work.resolve("locked"), PosixFilePermissions.fromString("rwx------"));
        }
    }
}
