package dev.paddock.executor.worktree;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Tests that settlement beside a live command, which replaces a directory above a repository all the
 * time, does not mislead the settlement after its end.
 */
@Tag("full")
class RestlessParentTest extends GuardedWorktree {
    private static final Duration TIME = Duration.ofSeconds(Integer.getInteger("paddock.worktree.seconds", 2));

    @Test
    void programPlantedBelowParentThatIsAwayWhileEntriesAreReadIsMoved() throws Exception {
        Path parent = worktree.resolve("parent");
        Path away = worktree.resolve("away");
        Path git = parent.resolve("new/.git");
        WorktreeGuard.Command restless = guard.begin(ProtectionPlan.NONE);
        WorktreeGuard.Command other = guard.begin(ProtectionPlan.NONE);
        shell(worktree, "mkdir parent && git init -q parent/new && echo evil > parent/new/.git/hooks/pre-commit");
        waitForTick(git);
        guard.cache().observe(path -> {
            if (path.equals(git) && Files.exists(parent)) {
                move(parent, away); // after the status of .git, before its entries
            }
        });
        other.settle();
        guard.cache().observe(path -> {});
        assertThat(away).as("the parent that was taken away").exists();

        move(away, parent);
        restless.settle();

        assertThat(git.resolve("hooks/pre-commit")).doesNotExist();
    }

    @Test
    void programsPlantedBelowParentThatIsReplacedAllTimeAreMoved() throws Exception {
        long end = System.nanoTime() + TIME.toNanos();
        for (int round = 0; System.nanoTime() < end; round++) {
            Path parent = worktree.resolve("parent" + round);
            Path hooks = parent.resolve("new/.git/hooks");
            WorktreeGuard.Command restless = guard.begin(ProtectionPlan.NONE);
            shell(worktree, "mkdir " + parent.getFileName() + " && git init -q " + parent.getFileName() + "/new");
            Files.writeString(hooks.resolve("pre-commit"), "evil");
            waitForTick(parent);
            settleBeside(parent);
            List<String> notices = restless.settle();

            assertThat(hooks.resolve("pre-commit"))
                    .as("round %s: %s", round, notices)
                    .doesNotExist();
        }
    }

    /** Settles another command while a thread acts as the live one. */
    private void settleBeside(Path parent) throws Exception {
        Path away = parent.resolveSibling("away");
        AtomicBoolean over = new AtomicBoolean();
        WorktreeGuard.Command other = guard.begin(ProtectionPlan.NONE);
        Thread live = Thread.ofPlatform().start(() -> {
            while (!over.get()) {
                move(parent, away);
                move(away, parent);
            }
        });
        try {
            other.settle();
        } finally {
            over.set(true);
            live.join();
        }
    }

    private static void move(Path from, Path to) {
        boolean moved = from.toFile().renameTo(to.toFile());
        assertThat(moved || Files.notExists(from)).isTrue();
    }
}
