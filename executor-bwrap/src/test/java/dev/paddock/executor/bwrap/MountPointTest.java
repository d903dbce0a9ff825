package dev.paddock.executor.bwrap;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.executor.ExitStatus;
import dev.paddock.executor.Guarantee;
import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.policy.Mount;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.policy.SandboxPolicy;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Mount points below the directories that a sandbox covers with its own. */
@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class MountPointTest {
    @TempDir
    Path directory;

    private Path worktree = Path.of("/");

    @BeforeEach
    void make() throws IOException {
        worktree = Files.createDirectory(directory.toRealPath().resolve("tree"));
        Files.writeString(worktree.resolve("file"), "content\n");
    }

    private BwrapExecutor executor(SandboxPolicy policy) {
        return BwrapExecutor.builder()
                .policy(policy)
                .quarantine(directory.resolve("quarantine"))
                .warmSlots(0)
                .build();
    }

    private static String run(BwrapExecutor executor, String cwd, String command) throws IOException {
        ProcessLike process = executor.spawn(
                command,
                SpawnOptions.builder(cwd).stderr(SpawnOptions.Stderr.MERGED).build());
        String output = new String(process.stdout().readAllBytes(), StandardCharsets.UTF_8);
        ExitStatus status = process.onExit().toCompletableFuture().join();
        process.onClosed().toCompletableFuture().join();
        return status.isSuccess() ? output : status + ": " + output;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/var/tmp/paddock-test/tree",
                "/var/tmp",
                "/var/tree",
                "/var/run/tree",
                "/tmp/a/b/tree",
                "/tmp",
                "/home/paddock/src/tree",
                "/home/paddock",
                "/home",
                "/etc/paddock-test/tree",
                "/run/tree",
                "/root/tree",
                "/paddock-test"
            })
    void worktreeIsSeenAtEveryPath(String path) throws IOException {
        try (BwrapExecutor executor =
                executor(SandboxPolicy.builder(new PathMapping(worktree, path)).build())) {
            for (int turn = 0; turn < 2; turn++) {
                assertThat(run(executor, path, "pwd -P; cat file; echo new > made; ls"))
                        .isEqualTo(path + "\ncontent\nfile\nmade\n");
            }
        }
        assertThat(worktree.resolve("made")).hasContent("new\n");
    }

    @Test
    void worktreeBelowVarTmpIsUsedAtItsOwnPath() throws IOException {
        Path below = Files.createTempDirectory(Path.of("/var/tmp"), "paddock-test-");
        try (BwrapExecutor executor =
                executor(SandboxPolicy.builder(PathMapping.same(below)).build())) {
            assertThat(run(executor, below.toString(), "pwd -P; touch made; ls /var/tmp | wc -l"))
                    .isEqualTo(below + "\n1\n");
            assertThat(below.resolve("made")).exists();
        } finally {
            Files.deleteIfExists(below.resolve("made"));
            Files.delete(below);
        }
    }

    @Test
    void varTmpIsSameDirectoryAsTmp() throws IOException {
        try (BwrapExecutor executor = executor(
                SandboxPolicy.builder(new PathMapping(worktree, "/work")).build())) {
            assertThat(executor.worktree()).contains(new PathMapping(worktree, "/work"));
            run(executor, "/work", "echo kept > /var/tmp/note");
            assertThat(run(executor, "/work", "cat /tmp/note")).isEqualTo("kept\n");
        }
    }

    /** A link in place of a mount point's parent would lead bubblewrap to any directory of the host. */
    @Test
    void noCommandReplacesDirectoryAboveMountPoint() throws IOException {
        Path data = Files.createDirectory(directory.toRealPath().resolve("data"));
        Files.createDirectories(data.resolve("in/ner"));
        Path victim = Files.createDirectory(directory.toRealPath().resolve("victim"));
        Path shown = Files.createDirectory(directory.toRealPath().resolve("shown"));
        SandboxPolicy policy = SandboxPolicy.builder(new PathMapping(worktree, "/tmp/up/per/tree"))
                .mount(new Mount(data, "/data", Mount.Access.READ_WRITE))
                .mount(new Mount(shown, "/data/in/ner", Mount.Access.READ_ONLY))
                .mount(new Mount(shown, "/home/paddock/a/b", Mount.Access.READ_ONLY))
                .build();
        try (BwrapExecutor executor = executor(policy)) {
            for (String parent : new String[] {"/tmp/up", "/tmp/up/per", "/data/in", "/home/paddock/a"}) {
                String replace = "mv P P-away && ln -s ../../../../../../oldroot" + victim + " P";
                assertThat(run(executor, "/", replace.replace("P", parent)))
                        .as(parent)
                        .contains("busy");
                String control = parent.substring(0, parent.lastIndexOf('/')) + "/other";
                assertThat(run(executor, "/", "mkdir P && ".replace("P", control) + replace.replace("P", control)))
                        .as(control)
                        .isEmpty();
            }
            assertThat(run(executor, "/tmp/up/per/tree", "cat file")).isEqualTo("content\n");
        }
        assertThat(victim).isEmptyDirectory();
    }

    @Test
    void homeOrTmpThatMountCoversIsNotClaimed() throws IOException {
        Path data = Files.createDirectory(directory.resolve("data"));
        Mount home = new Mount(data, "/home", Mount.Access.READ_ONLY);
        SandboxPolicy.Builder policy = SandboxPolicy.builder(new PathMapping(worktree, "/work"));
        try (BwrapExecutor own = executor(policy.build());
                BwrapExecutor covered = executor(policy.mount(home).build())) {
            assertThat(own.guarantees()).contains(Guarantee.PRIVATE_HOME, Guarantee.PRIVATE_TMP);
            assertThat(covered.guarantees()).contains(Guarantee.PRIVATE_TMP).doesNotContain(Guarantee.PRIVATE_HOME);
        }
    }

    @Test
    void writableMountAtEtcIsWritable() throws IOException {
        Path data = Files.createDirectory(directory.toRealPath().resolve("data"));
        SandboxPolicy policy = SandboxPolicy.builder(new PathMapping(worktree, "/work"))
                .mount(new Mount(data, "/etc", Mount.Access.READ_WRITE))
                .build();
        try (BwrapExecutor executor = executor(policy)) {
            assertThat(run(executor, "/work", "echo new > /etc/made")).isEmpty();
        }
        assertThat(data.resolve("made")).hasContent("new\n");
    }
}
