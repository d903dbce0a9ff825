package dev.paddock.executor.worktree;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests the names that git itself writes in a git directory, in every shape that a command can give
 * them: afterwards the host's git changes nothing outside, and waits for nothing.
 */
@Tag("full")
class AllowedNamesTest extends GuardedWorktree {
    private static final List<String> NAMES = List.of(
            "HEAD",
            "index",
            "index.lock",
            "HEAD.lock",
            "packed-refs",
            "packed-refs.lock",
            "packed-refs.new",
            "shallow",
            "gc.pid",
            "gc.log",
            "ORIG_HEAD",
            "FETCH_HEAD",
            "MERGE_HEAD",
            "MERGE_MSG",
            "MERGE_MODE",
            "SQUASH_MSG",
            "CHERRY_PICK_HEAD",
            "COMMIT_EDITMSG",
            "AUTO_MERGE",
            "EDIT_DESCRIPTION",
            "BISECT_LOG",
            "description",
            "info",
            "info/refs",
            "info/exclude",
            "info/sparse-checkout",
            "logs",
            "logs/HEAD",
            "logs/refs/heads/main",
            "logs/refs/heads/other",
            "refs/heads/main",
            "refs/heads/other",
            "refs/remotes/origin/main",
            "refs/stash",
            "refs/tags",
            "objects/info",
            "objects/info/packs",
            "lost-found",
            "rebase-merge",
            "rebase-apply",
            "sequencer",
            "rr-cache",
            "modules",
            "worktrees",
            "branches",
            "lfs",
            "lfs/objects",
            "annex",
            "MERGE_RR",
            "NOTES_MERGE_REF",
            "ADD_EDIT.patch",
            "info/fast-import",
            "fsmonitor--daemon",
            "unknown",
            "tABCDEF");

    /** Exits with 137 if a command has to be killed: it waits for a pipe. */
    private static final String HOST = "for c in 'status' 'checkout -q other' '-c user.name=t -c user.email=t commit -q"
            + " --allow-empty -m host' 'fetch -q' 'stash' 'log -1'; do timeout -s KILL 20 git $c > ../output 2>&1;"
            + " [ $? != 137 ] || exit 137; done";

    /** For each shape; the ordinary run begins with another name each time. */
    private static final Duration TIME = Duration.ofMillis(Integer.getInteger("paddock.worktree.seconds", 6) * 125L);

    private Path outside;

    @BeforeEach
    void createRepository() throws Exception {
        outside = Files.createDirectory(directory.resolve("outside"));
        Files.writeString(outside.resolve("file"), "precious");
        shell(
                worktree,
                "git branch other && git clone -q --bare . ../remote && git remote add origin ../remote && git fetch -q"
                        + " && echo b > a && cp -a .git ../pristine");
        refresh();
    }

    private int onHost() throws Exception {
        ProcessBuilder builder = new ProcessBuilder("sh", "-c", HOST).directory(worktree.toFile());
        builder.environment().put("GIT_CONFIG_GLOBAL", "/dev/null");
        return builder.start().waitFor();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ln -s '$O/file' '$N'",
                "ln -s '$O' '$N'",
                "ln -s '$O/new' '$N'",
                "mkfifo '$N'",
                "mkdir '$N' && mkfifo '$N/main' '$N/HEAD'",
                "mkdir -p '$N/refs/heads' && ln -s '$O/file' '$N/refs/heads/main' && ln -s '$O/file' '$N/main'",
                "echo x > '$N' && chmod 0 '$N'",
                "mkdir '$N' && chmod 0 '$N'"
            })
    void hostsGitStaysInsideAndEnds(String shape) throws Exception {
        int start = new Random(shape.hashCode()).nextInt(NAMES.size());
        long end = System.nanoTime() + TIME.toNanos();
        for (int index = 0; index < NAMES.size() && System.nanoTime() < end; index++) {
            String name = NAMES.get((start + index) % NAMES.size());
            shell(worktree, "chmod -R u+rwx .git; rm -rf .git && cp -a ../pristine .git && echo b > a");
            refresh();
            String planted = shape.replace("$N", ".git/" + name).replace("$O", outside.toString());

            command("mkdir -p $(dirname .git/" + name + ") && rm -rf .git/" + name + " && " + planted);

            assertThat(onHost()).as("%s: the status of the host's git", planted).isZero();
            assertThat(outside.resolve("file")).as(planted).hasContent("precious");
            assertThat(children(outside)).as(planted).containsExactly(outside.resolve("file"));
        }
    }
}
