package dev.paddock.executor.worktree;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** An index of a command's that names a hook: {@code git checkout} would write and run it. */
class PlantedIndexTest extends GuardedWorktree {
    private static final String HOOK = ".git/hooks/post-checkout";

    /** Writes an index with one entry, of which git would not write the name. */
    private void plant(Path repository, Path index, String name) throws Exception {
        String stand = "x".repeat(name.length());
        shell(
                repository,
                "rm -f '" + index
                        + "' && printf '#!/bin/sh\\ntouch \"${GIT_DIR:-.git}/ran\"' > hook && GIT_INDEX_FILE='" + index
                        + "' git update-index --add --cacheinfo 100755,$(git hash-object -w hook)," + stand
                        + " && rm hook");
        String content = Files.readString(index, StandardCharsets.ISO_8859_1).replace(stand, name);
        byte[] bytes = content.getBytes(StandardCharsets.ISO_8859_1);
        Arrays.fill(bytes, bytes.length - 20, bytes.length, (byte) 0); // without a checksum
        Files.write(index, bytes);
    }

    private List<String> planted(Path repository, String index, String name) throws Exception {
        WorktreeGuard.Command command = guard.begin(ProtectionPlan.NONE);
        plant(repository, worktree.resolve(index), name);
        return command.settle();
    }

    @Test
    void hookThatIndexNamesIsNeitherWrittenNorRun() throws Exception {
        assertThat(planted(worktree, ".git/index", HOOK))
                .singleElement()
                .asString()
                .contains(".git/index'", "'" + HOOK + "'", "'git reset' makes a new one");
        assertThat(inQuarantine("index")).exists();

        shell(worktree, "git reset -q && git checkout -q . && git diff --exit-code HEAD");

        assertThat(worktree.resolve(HOOK)).doesNotExist();
        assertThat(worktree.resolve(".git/ran")).doesNotExist();
    }

    /** Positive control. */
    @Test
    void gitWritesAndRunsHookWithoutGuard() throws Exception {
        plant(worktree, worktree.resolve(".git/index"), HOOK);

        shell(worktree, "git checkout -q .");

        assertThat(worktree.resolve(HOOK)).exists();
        assertThat(worktree.resolve(".git/ran")).exists();
    }

    @ParameterizedTest
    @CsvSource({
        ".git/index, ../above",
        ".git/index, /absolute/path",
        ".git/index, .GIT/config",
        ".git/worktrees/inner/index, ../above",
        ".git/modules/sub/index, .git/x",
        ".git/index.stash.123, ../above",
        ".git/next-index-123, ../above",
        ".git/sharedindex.0123456789012345678901234567890123456789, ../above",
        "new/.git/index, ../above"
    })
    void everyIndexIsVerified(String index, String name) throws Exception {
        shell(worktree, "git worktree add -q inner && git init -q --bare .git/modules/sub");
        refresh();
        WorktreeGuard.Command command = guard.begin(ProtectionPlan.NONE);
        shell(worktree, "git init -q new");

        plant(worktree, worktree.resolve(index), name);

        assertThat(command.settle()).anyMatch(notice -> notice.contains(index + "'") && notice.contains("no checkout"));
        assertThat(worktree.resolve(index)).doesNotExist();
    }

    @Test
    void indexThatIsTooLargeIsMoved() throws Exception {
        WorktreeGuard.Command command = guard.begin(ProtectionPlan.NONE);
        shell(worktree, "truncate -s 257M .git/index");

        assertThat(command.settle()).singleElement().asString().contains("more than 256 MiB");
        assertThat(worktree.resolve(".git/index")).doesNotExist();
    }

    @Test
    void indexThatIsBasedOnChangedSharedOneIsMovedWithIt() throws Exception {
        shell(worktree, "git update-index --split-index");
        refresh();
        Path shared = children(worktree.resolve(".git")).stream()
                .filter(path -> path.getFileName().toString().startsWith("sharedindex."))
                .findFirst()
                .orElseThrow();

        assertThat(command("cp .git/index i; mv i .git/index; echo x >> "
                        + shared.toString().replace(" ", "\\ ")))
                .anyMatch(notice -> notice.contains(".git/index'"))
                .anyMatch(notice -> notice.contains("sharedindex."));
        assertThat(shared).doesNotExist();
        shell(worktree, "git reset -q && git status");
    }

    @Test
    void indexWhoseSharedOneIsRemovedIsMoved() throws Exception {
        shell(worktree, "git update-index --split-index; git status");
        refresh();

        assertThat(command("rm .git/sharedindex.*"))
                .singleElement()
                .asString()
                .contains(".git/index'", "sharedindex.", "'git reset' makes a new one");
        shell(worktree, "git reset -q; git status; git diff --exit-code HEAD");

        shell(
                worktree,
                "git update-index --split-index; rm .git/sharedindex.*; ! git status; rm .git/index"); // control
    }

    @Test
    void ordinaryWorkWithSplitIndexIsNotUndone() throws Exception {
        shell(worktree, "git config splitIndex.maxPercentChange 0; git update-index --split-index");
        refresh();

        assertThat(command("echo b > b; git add b; git commit -qm b; echo c > c; git add c; git status"))
                .isEmpty();
        assertThat(command("git update-index --no-split-index; rm .git/sharedindex.*; git status"))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {".envrc", ".ENVRC", ".vscode/settings.json", ".config", "paddock.yaml"})
    void stagedFilesThatHostObeysAreReported(String name) throws Exception {
        String staging = "git update-index --add --cacheinfo 100644,$(echo evil | git hash-object -w --stdin)," + name;

        assertThat(command(staging + "; git commit -qm x --only a || true"))
                .singleElement()
                .asString()
                .contains(".git/index'", "'git checkout .' writes", "'" + name + "'");
        assertThat(command("echo b > b; git add b")).as("once").isEmpty();

        shell(worktree, "git checkout -q ."); // control
        assertThat(worktree.resolve(name)).hasContent("evil");
    }

    @Test
    void stagedHooksOfUsersAreReported() throws Exception {
        shell(directory, "printf '[core]\\n\\thooksPath = scripts/hooks\\n' > .gitconfig");
        refresh();

        assertThat(command("git update-index --add --cacheinfo 100755,$(echo evil | git hash-object -w --stdin),"
                        + "scripts/hooks/pre-commit"))
                .singleElement()
                .asString()
                .contains("'scripts/hooks/pre-commit'");
    }

    @Test
    void stagedFilesThatAreUsersAreNotReported() throws Exception {
        shell(
                worktree,
                "echo mine > .envrc; git add .envrc; git commit -qm x; echo changed > .envrc; echo y > .envrc.md");
        refresh();

        assertThat(command("git add -A; git commit -qm y; echo z > z; git add z"))
                .isEmpty();
        assertThat(command("git reset -q --soft HEAD~1; git reset -q HEAD")).hasSize(1);
        shell(worktree, "git checkout -q .");
        assertThat(worktree.resolve(".envrc")).hasContent("mine");
    }
}
