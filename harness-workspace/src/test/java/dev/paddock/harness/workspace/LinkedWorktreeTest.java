package dev.paddock.harness.workspace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.paddock.harness.workspace.snapshot.TreeCopy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Copies worktrees of real repositories. */
class LinkedWorktreeTest {
    @TempDir
    Path temporary;

    private Path repository;
    private Path worktree;
    private Path copy;

    @BeforeEach
    void create() throws Exception {
        temporary = temporary.toRealPath();
        repository = Files.createDirectory(temporary.resolve("repository"));
        worktree = temporary.resolve("work tree");
        copy = temporary.resolve("copy");
        Shell.run(repository, """
                git init -q -b main; echo one > file; git add .; git commit -qm one; git tag v1
                git pack-refs --all; git branch other
                git worktree add -q -b feature '../work tree'
                cd '../work tree'; echo staged > staged; git add staged; echo changed > file; echo new > untracked
                """);
    }

    @Test
    void commitInCopyChangesNothingOfOriginal() throws Exception {
        String state = Shell.run(worktree, "git status --porcelain=2 --branch; git log --oneline --all");
        String before = Shell.contents(repository) + Shell.listing(worktree);

        CopyReport report = TreeCopy.copy(worktree, copy);

        assertThat(Shell.run(copy, "git status --porcelain=2 --branch; git log --oneline --all"))
                .isEqualTo(state);
        Shell.run(copy, "git add -A; git commit -qm 'in the copy'; git branch -D other; git fsck --strict; git gc -q");
        assertThat(Shell.contents(repository) + Shell.listing(worktree)).isEqualTo(before);
        assertThat(report.borrowed()).containsExactly(repository.resolve(".git/objects"));
        assertThat(report.omissions()).isEmpty();
        assertThat(Shell.run(copy, "git rev-parse v1")).isEqualTo(Shell.run(worktree, "git rev-parse v1"));
    }

    @Test
    void nothingPlantedInOriginalsGitDirectoryRunsOrIsTakenOver() throws Exception {
        Shell.run(repository, """
                printf '#!/bin/sh\\ntouch %s/ran' '%s' > .git/hooks/post-checkout; chmod +x .git/hooks/post-checkout
                cp .git/hooks/post-checkout .git/hooks/post-index-change
                git config core.fsmonitor '%s/.git/hooks/post-checkout'
                printf 'secret' > ../secret; ln -sf ../../../../secret .git/refs/heads/stolen
                ln -sf ../../../../secret "$(echo .git/worktrees/work*)/MERGE_MSG"
                """.formatted("%s", temporary, repository));

        TreeCopy.copy(worktree, copy);

        assertThat(temporary.resolve("ran")).doesNotExist();
        assertThat(copy.resolve(".git/hooks")).doesNotExist();
        assertThat(copy.resolve(".git/config")).content().doesNotContain("fsmonitor");
        assertThat(Shell.run(copy, "grep -rl secret .git || true")).isEmpty();
    }

    /** Commands in a linked worktree write both files. */
    @Test
    void indexAndListOfCommitsOfAnySizeAreTakenOver() throws Exception {
        Shell.run(repository, """
                yes "$(git rev-parse HEAD)" | head -n 100000 > .git/shallow
                cd "$(echo .git/worktrees/work*)"; printf DIRC > index; truncate -s 900M index
                """);

        TreeCopy.copy(worktree, copy);

        assertThat(copy.resolve(".git/shallow")).hasSameBinaryContentAs(repository.resolve(".git/shallow"));
        assertThat(copy.resolve(".git/index")).hasSize(900L << 20);
        assertThat(Shell.run(copy.resolve(".git"), "[ $(stat -c %b index) -lt 1000 ]"))
                .isEmpty();
    }

    @Test
    void emptyLinesInConfigurationTakeNoTime() throws Exception {
        Shell.run(repository, """
                yes '' | head -c 1000000 >> .git/config
                printf '[extensions]\\n\\trefStorage = files\\n' >> .git/config
                """);

        CopyReport report = assertTimeoutPreemptively(Duration.ofSeconds(60), () -> TreeCopy.copy(worktree, copy));

        assertThat(report.omissions()).isEmpty();
        assertThat(copy.resolve(".git/HEAD")).exists();
    }

    @Test
    void pointerToRepositoryThatDoesNotNameWorktreeIsLeftOut() throws Exception {
        Path victim = Files.createDirectory(temporary.resolve("victim"));
        Shell.run(victim, "git init -q; git commit -q --allow-empty -m private; git worktree add -q ../theirs");
        Path tree = Files.createDirectory(temporary.resolve("tree"));
        Files.writeString(tree.resolve(".git"), "gitdir: " + victim.resolve(".git/worktrees/theirs") + "\n");
        Files.createDirectory(tree.resolve("sub"));
        Files.writeString(tree.resolve("sub/.git"), "gitdir: " + victim.resolve(".git") + "\n");
        Files.createDirectory(tree.resolve("link"));
        Files.createSymbolicLink(tree.resolve("link/.git"), victim.resolve(".git"));

        CopyReport report = TreeCopy.copy(tree, copy);

        assertThat(report.omissions().stream().map(Omission::path).map(TreePath::bytes))
                .containsExactly(".git", "link/.git", "sub/.git");
        assertThat(report.borrowed()).isEmpty();
        assertThat(Shell.run(copy, "find . -name .git")).isEmpty();
    }

    @Test
    void worktreeInsideItsRepositoryIsLinkedToRepositorysCopy() throws Exception {
        Shell.run(repository, "git worktree add -q -b inner trees/inner");
        String before = Shell.contents(repository);

        CopyReport report = TreeCopy.copy(repository, copy);

        assertThat(Shell.run(copy.resolve("trees/inner"), "git rev-parse --git-common-dir"))
                .startsWith(copy.toString());
        Shell.run(copy.resolve("trees/inner"), "git commit -q --allow-empty -m inner; git log --oneline inner");
        assertThat(Shell.contents(repository)).isEqualTo(before);
        assertThat(report.omissions()).isEmpty();
    }
}
