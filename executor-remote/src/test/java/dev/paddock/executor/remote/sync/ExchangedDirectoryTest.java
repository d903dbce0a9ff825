package dev.paddock.executor.remote.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.paddock.executor.AbortSignal;
import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.os.file.Kernel;
import dev.paddock.executor.path.PathBytes;
import dev.paddock.executor.remote.sync.TreeEntry.Kind;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Synchronizes while another program exchanges a directory of the worktree and a link that leads out. */
@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ExchangedDirectoryTest {
    private static final TreeEntry FILE = new TreeEntry(Kind.FILE, 0644, 5, 1, 0, 0);
    private static final TreeEntry LINK = new TreeEntry(Kind.LINK, 0777, 4, 1, 0, 0);
    private static final TreeEntry DIRECTORY = new TreeEntry(Kind.DIRECTORY, 0750, 0, 1, 0, 0);

    @TempDir
    Path directory;

    private Path worktree;
    private Path outside;
    private Path staging;

    /** Acts on a numbered path below the exchanged directory. */
    @FunctionalInterface
    private interface Act {
        void on(String path, int number) throws IOException;
    }

    @BeforeEach
    void create() throws IOException {
        assumeTrue(Kernel.isAvailable());
        worktree = Files.createDirectory(directory.toRealPath().resolve("worktree"));
        outside = Files.createDirectory(directory.resolve("outside"));
        staging = Files.createDirectory(directory.resolve("staging"));
        Files.createDirectory(worktree.resolve("real"));
        Files.createSymbolicLink(worktree.resolve("link"), outside);
    }

    @Test
    void landsNothingOutside() throws Exception {
        land(1_500);
    }

    @Tag("full")
    @Test
    void landsNothingOutsideInTenThousandAttempts() throws Exception {
        land(10_000);
    }

    private void land(int count) throws Exception {
        Landing landing = new Landing(worktree, new Tree(Map.of(), Set.of(), 0, 1));
        int landed = during(count, (path, number) -> {
            switch (number % 3) {
                case 0 -> landing.put(path, FILE, new Download.Staged(Kind.FILE, staged(number), ""));
                case 1 -> landing.put(path, LINK, new Download.Staged(Kind.LINK, staging, "file"));
                default -> landing.directory(path, DIRECTORY);
            }
        });
        assertThat(entries(outside)).isZero();
        assertThat(landed).isPositive();
        assertThat(entries(worktree.resolve("real")) + entries(worktree.resolve("link")))
                .isEqualTo(landed);
    }

    @Test
    void removesAndChangesNothingOutside() throws Exception {
        for (int number = 0; number < 1_000; number++) {
            Files.writeString(outside.resolve("file" + number), "kept");
        }
        int mode = WorktreeListing.stat(outside.resolve("file1")).orElseThrow().mode();
        during(1_000, (path, number) -> {
            // Lists each time, so that the entry outside is the expected one.
            Tree here = new Tree(
                    Map.of(
                            path,
                            WorktreeListing.stat(outside.resolve("file" + number))
                                    .orElseThrow()),
                    Set.of(),
                    0,
                    1);
            Landing landing = new Landing(worktree, here);
            if (number % 2 == 0) {
                landing.remove(path);
            } else {
                landing.touch(path, new TreeEntry(Kind.FILE, 0777, 4, 1, 0, 0));
            }
        });
        assertThat(entries(outside)).isEqualTo(1_000);
        for (int number = 1; number < 1_000; number += 2) {
            assertThat(WorktreeListing.stat(outside.resolve("file" + number))
                            .orElseThrow()
                            .mode())
                    .isEqualTo(mode);
        }
    }

    @Test
    @Timeout(value = 20, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void readsNothingOutsideAndWaitsForNoPipe() throws Exception {
        Files.writeString(outside.resolve("secret"), "secret");
        Files.writeString(worktree.resolve("real/secret"), "public");
        Kernel kernel = Kernel.create();
        int[] read = {0};
        while (read[0] == 0) { // the exchanging thread may stand still
            during(1_000, (path, number) -> {
                try (HostDirectory parent = HostDirectory.open(Optional.of(kernel), worktree, "real");
                        InputStream content = parent.read("secret")) {
                    assertThat(content.readAllBytes()).asString().isEqualTo("public");
                    read[0]++;
                }
            });
        }
        assertThat(new ProcessBuilder("mkfifo", worktree + "/pipe").start().waitFor())
                .isZero();
        try (HostDirectory parent = HostDirectory.open(Optional.of(kernel), worktree, "")) {
            assertThatThrownBy(() -> parent.read("pipe")).isInstanceOf(NoSuchFileException.class);
        }
    }

    /** What is listed is sent away: the names of directories, too. */
    @Test
    void listsNothingOutside() throws Exception {
        Files.createDirectory(outside.resolve("private"));
        Files.createFile(outside.resolve("secret"));
        Files.createFile(worktree.resolve("real/own"));
        int[] whole = {0};
        while (whole[0] == 0) { // the exchanging thread may stand still
            during(1_000, (path, number) -> {
                Set<String> listed = WorktreeListing.list(worktree, AbortSignal.never())
                        .entries()
                        .keySet();
                assertThat(listed).noneMatch(entry -> entry.endsWith("/private") || entry.endsWith("/secret"));
                whole[0] += listed.contains("real/own") || listed.contains("link/own") ? 1 : 0;
            });
        }
    }

    @Tag("full")
    @Test
    @Timeout(value = 3, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void pushesNothingOfOutside() throws Exception {
        Files.createDirectory(outside.resolve("private"));
        Files.writeString(outside.resolve("file"), "secret");
        Files.writeString(worktree.resolve("real/file"), "public");
        Path there = directory.resolve("there");
        SyncDirectories directories = new SyncDirectories(
                worktree, there.toString(), directory.resolve("state").toString(), staging, directory.resolve("kept"));
        try (WorktreeSync sync = WorktreeSync.open(LocalFar.gnu(), directories, LandingRule.ALL, AbortSignal.never())) {
            during(10, (path, number) -> {
                Files.writeString(worktree.resolve("changed"), "number " + number);
                try {
                    sync.push(AbortSignal.never(), progress -> {});
                } catch (ExecutorException changed) {
                    // the next push completes it
                }
                assertHasNothingOfOutside(there);
            });
            sync.push(AbortSignal.never(), progress -> {});
        }
        assertThat(there.resolve("changed")).hasContent("number 9");
        assertHasNothingOfOutside(there);
    }

    @Tag("full")
    @Test
    @Timeout(value = 3, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void pullsLandNothingOutside() throws Exception {
        Path there = directory.resolve("there");
        SyncDirectories directories = new SyncDirectories(
                worktree, there.toString(), directory.resolve("state").toString(), staging, directory.resolve("kept"));
        try (WorktreeSync sync = WorktreeSync.open(LocalFar.gnu(), directories, LandingRule.ALL, AbortSignal.never())) {
            sync.push(AbortSignal.never(), progress -> {});
            during(20, (path, number) -> {
                writeThere(there, "file" + number + "-", 50);
                try {
                    sync.pull(AbortSignal.never(), progress -> {});
                } catch (ExecutorException changed) {
                    // the next pull completes it
                }
                assertThat(entries(outside)).isZero();
            });
            sync.push(AbortSignal.never(), progress -> {}); // both sides have one directory and one link again
            writeThere(there, "last", 1);
            sync.pull(AbortSignal.never(), progress -> {});
        }
        assertThat(entries(outside)).isZero();
        assertThat(Stream.of("real/last0", "link/last0").map(worktree::resolve))
                .as("the control")
                .anyMatch(Files::exists);
    }

    /** Writes files into the directory of the remote side, which may have two links for a moment: they lead outside. */
    private static void writeThere(Path there, String prefix, int count) throws IOException {
        for (String name : List.of("real", "link")) {
            if (Files.isDirectory(there.resolve(name), LinkOption.NOFOLLOW_LINKS)) {
                for (int file = 0; file < count; file++) {
                    Files.writeString(there.resolve(name).resolve(prefix + file), "theirs");
                }
            }
        }
    }

    private static void assertHasNothingOfOutside(Path there) throws IOException {
        try (Stream<Path> all = Files.walk(there)) {
            assertThat(all).allSatisfy(path -> {
                assertThat(path.endsWith("private")).isFalse();
                if (Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)) {
                    assertThat(path).content().isNotEqualTo("secret");
                }
            });
        }
    }

    @Test
    void pipesExchangedForDirectoriesBlockNoListing() throws Exception {
        Files.delete(worktree.resolve("link"));
        assertThat(new ProcessBuilder("mkfifo", worktree.resolve("link").toString())
                        .inheritIO()
                        .start()
                        .waitFor())
                .isZero();

        int listed = assertTimeoutPreemptively(
                Duration.ofSeconds(60),
                () -> during(600, (path, number) -> {
                    assertThat(WorktreeListing.list(worktree, AbortSignal.never())
                                    .entries())
                            .isNotEmpty();
                }));

        assertThat(listed).isPositive();
    }

    /** A caller that checks a path and then uses it writes through the exchanged link. */
    @Test
    void writesByCheckedPathsLeadOutside() throws Exception {
        boolean reached = false;
        for (int round = 0; round < 20 && !reached; round++) {
            during(3_000, (path, number) -> {
                if (Files.isDirectory(worktree.resolve("real"), LinkOption.NOFOLLOW_LINKS)) {
                    Files.move(staged(number), worktree.resolve(path), StandardCopyOption.REPLACE_EXISTING);
                }
            });
            reached = entries(outside) > 0;
        }
        assertThat(reached).isTrue();
    }

    private Path staged(int number) throws IOException {
        return Files.writeString(staging.resolve("file" + number), "fives");
    }

    private static int entries(Path path) throws IOException {
        if (Files.isSymbolicLink(path)) {
            return 0;
        }
        try (Stream<Path> all = Files.list(path)) {
            return Math.toIntExact(all.count());
        }
    }

    /** Acts on paths below the directory while it is exchanged; returns how often that succeeded. */
    private int during(int count, Act act) throws Exception {
        AtomicBoolean ended = new AtomicBoolean();
        CountDownLatch begun = new CountDownLatch(1);
        Thread exchange = Thread.ofPlatform().start(() -> exchange(begun, ended));
        int done = 0;
        try {
            assertThat(begun.await(30, TimeUnit.SECONDS)).isTrue();
            for (int number = 0; number < count; number++) {
                try {
                    act.on("real/file" + number, number);
                    done++;
                } catch (IOException refused) {
                    // the directory is the link now
                }
            }
        } finally {
            ended.set(true);
            exchange.join();
        }
        return done;
    }

    private void exchange(CountDownLatch begun, AtomicBoolean ended) {
        try {
            Kernel kernel = Kernel.create();
            int at = kernel.openDirectory(Kernel.NO_DIRECTORY, PathBytes.of(worktree));
            while (!ended.get()) {
                kernel.exchange(at, "real", "link");
                begun.countDown();
            }
            kernel.close(at);
        } catch (IOException fault) {
            throw new AssertionError(fault);
        }
    }
}
