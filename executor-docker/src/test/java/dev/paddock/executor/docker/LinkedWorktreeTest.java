package dev.paddock.executor.docker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.executor.ExitStatus.Exited;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests a linked git worktree inside a container: git works, and cannot be turned against the host.
 */
@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LinkedWorktreeTest {
    @TempDir
    Path directory;

    private Path worktree = Path.of("");

    @BeforeEach
    void makeWorktree() throws Exception {
        TestEngine.withImage(TestEngine.DEBIAN);
        directory = directory.toRealPath();
        Path main = Files.createDirectory(directory.resolve("main"));
        git(main, "init", "-q");
        git(main, "commit", "-q", "--allow-empty", "-m", "first");
        worktree = directory.resolve("linked");
        git(main, "worktree", "add", "-q", worktree.toString());
    }

    private static String git(Path where, String... words) throws Exception {
        List<String> line = new ArrayList<>(List.of("git", "-c", "user.name=t", "-c", "user.email=t@t"));
        line.addAll(List.of(words));
        Process process = new ProcessBuilder(line)
                .directory(where.toFile())
                .redirectErrorStream(true)
                .start();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(out).isZero();
        return out;
    }

    private DockerExecutor executor() {
        return DockerExecutor.builder()
                .image(TestEngine.DEBIAN)
                .pullPolicy(PullPolicy.NEVER)
                .worktree(worktree)
                .warmSlots(0) // each container runs few commands
                .build();
    }

    @Test
    void gitCommitsInContainerAndHostSeesCommit() throws Exception {
        try (DockerExecutor executor = executor()) {
            Runs seen = Runs.of(executor, "/work", """
                    set -e
                    export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@a GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@a
                    echo text >file; git status --short; git add file; git commit -q -m inside; git log --format=%s
                    """);
            assertThat(seen.out()).isEqualTo("?? file\ninside\nfirst\n");
            assertThat(seen.status()).isEqualTo(new Exited(0));
        }
        assertThat(git(worktree, "log", "--format=%s")).isEqualTo("inside\nfirst\n");
        assertThat(git(worktree, "status", "--short")).isEmpty();
    }

    @Test
    void gitConfigurationAndHooksOfHostAreUnchanged() throws Exception {
        Path canary = directory.resolve("ran");
        try (DockerExecutor executor = executor()) {
            Runs seen = Runs.of(executor, "/work", """
                    main=%1$s/main/.git; mine=$main/worktrees/linked
                    try() { if ( eval "$1" ) 2>/dev/null; then echo "not refused: $1"; fi; }
                    try 'echo "gitdir: /tmp" >.git'
                    try 'mv .git away'
                    try 'echo x >$main/hooks/pre-commit'
                    try 'mv $main/hooks $main/other'
                    try 'git config core.fsmonitor "touch %2$s"'
                    try 'echo "../../../evil" >$mine/commondir'
                    try 'echo x >$mine/gitdir'
                    try 'echo x >$main/HEAD'
                    echo done
                    """.formatted(directory, canary));
            assertThat(seen.out()).isEqualTo("done\n");
        }
        assertThat(git(worktree, "status", "--short")).isEmpty();
        assertThat(git(worktree, "fsck")).isEmpty();
        assertThat(canary).doesNotExist();
    }
}
