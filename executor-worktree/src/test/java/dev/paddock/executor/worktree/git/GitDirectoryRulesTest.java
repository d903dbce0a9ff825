package dev.paddock.executor.worktree.git;

import static dev.paddock.executor.worktree.git.GitReferee.shell;
import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.executor.worktree.git.GitDirectoryRules.Change;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the rules on the git directory of a real repository in which commands leave odd entries. */
class GitDirectoryRulesTest {
    private static final String COMMIT = "0123456789012345678901234567890123456789\n";

    @TempDir
    private static Path temporary;

    @TempDir
    Path directory;

    private Path root;
    private Path git;

    @BeforeAll
    static void createRepository() throws Exception {
        shell(temporary, "git init -q -b main root && cd root && echo a > a && git add a && git commit -qm first");
    }

    @BeforeEach
    void copyRepository() throws Exception {
        root = directory.toRealPath().resolve("root");
        git = root.resolve(".git");
        shell(directory, "cp -a '" + temporary.resolve("root") + "' root");
    }

    private Verdict judge(boolean isNew, String entry, Change change) throws Exception {
        return new GitDirectoryRules(repository(git), GitReferee.territory(root), isNew).judge(Path.of(entry), change);
    }

    private Repository repository(Path gitDirectory) throws Exception {
        return new RepositoryFinder(GitReferee.territory(root))
                .below(root).repositories().stream()
                        .filter(found -> found.gitDirectory().equals(gitDirectory))
                        .findFirst()
                        .orElseThrow();
    }

    @ParameterizedTest
    @CsvSource(
            delimiterString = "=>",
            value = {
                "Allowed => git lfs pre-push \"$@\"",
                "Allowed => command -v git-lfs >/dev/null 2>&1 || { echo >&2 \"\\nIt's missing (see 'x').\\n\"; exit 2; }"
                        + "%ngit lfs pre-push \"$@\"",
                "Quarantined => git lfs post-merge \"$@\"",
                "Quarantined => git lfs pre-push \"$@\"%nevil",
                "Quarantined => git lfs pre-push \"$@\"; evil",
                "Quarantined => command -v git-lfs >/dev/null 2>&1 || { echo >&2 \"$(evil)\"; exit 2; }%ngit lfs pre-push \"$@\"",
                "Quarantined => command -v git-lfs >/dev/null 2>&1 || { echo >&2 \"`evil`\"; exit 2; }%ngit lfs pre-push \"$@\"",
                "Quarantined => command -v git-lfs >/dev/null 2>&1 || { echo >&2 \"a\" & evil; \"\"; exit 2; }%ngit lfs pre-push \"$@\""
            })
    void hooksOfGitLfsStayInNewRepositories(String verdict, String content) throws Exception {
        Files.writeString(git.resolve("hooks/pre-push"), "#!/bin/sh\n" + content.replace("%n", "\n") + "\n");

        assertThat(judge(true, "hooks/pre-push", Change.CREATED).getClass().getSimpleName())
                .isEqualTo(verdict);
        assertThat(judge(false, "hooks/pre-push", Change.CREATED)).isInstanceOf(Verdict.Quarantined.class);
    }

    @Test
    void longFilesOfCommandAreJudgedLikeShortOnes() throws Exception {
        Files.writeString(
                git.resolve("hooks/pre-push"),
                "#!/bin/sh\ncommand -v git-lfs >/dev/null 2>&1 || { echo >&2 \"" + "x".repeat(500_000)
                        + "\"; exit 2; }\ngit lfs pre-push \"$@\"\n");
        Files.writeString(git.resolve("BISECT_NAMES"), "'a' ".repeat(200_000));

        assertThat(judge(true, "hooks/pre-push", Change.CREATED)).isInstanceOf(Verdict.Allowed.class);
        assertThat(judge(false, "BISECT_NAMES", Change.CREATED)).isInstanceOf(Verdict.Reported.class);
    }

    @ParameterizedTest
    @CsvSource({
        "hooks/post-commit, Quarantined, Quarantined",
        "hooks/pre-push.sample, Quarantined, Allowed",
        "config.worktree, Quarantined, Replaced",
        "commondir, Quarantined, Quarantined",
        "gitdir, Quarantined, Quarantined",
        "info/attributes, Quarantined, Quarantined",
        "info/grafts, Quarantined, Quarantined",
        "info/exclude, Reported, Reported",
        "branches/origin, Quarantined, Quarantined",
        "remotes/origin, Quarantined, Quarantined",
        "objects/info/alternates, Quarantined, Quarantined",
        "objects/info/http-alternates, Quarantined, Quarantined",
        "objects/ab/cdef, Allowed, Allowed",
        "refs/heads/topic, Allowed, Allowed",
        "refs/heads/$(evil), Reported, Reported",
        "Refs/heads/topic, Quarantined, Quarantined",
        "refs/replace/abc, Reported, Reported",
        "ORIG_HEAD, Allowed, Allowed",
        "COMMIT_EDITMSG, Allowed, Allowed",
        "index.lock, Reported, Reported",
        "tAbc123, Allowed, Allowed",
        "BISECT_LOG, Reported, Reported",
        "BISECT_OTHER, Quarantined, Quarantined",
        "rebase-merge/onto, Allowed, Allowed",
        "rebase-merge/rewritten/0123, Allowed, Allowed",
        "rebase-merge/trailer, Quarantined, Quarantined",
        "rebase-merge/ont\u200do, Quarantined, Quarantined",
        "rebase-merge/onto/x, Quarantined, Quarantined",
        "rebase-merge/git-rebase-todo.lock, Reported, Reported",
        "rebase-apply/0001, Allowed, Allowed",
        "rebase-apply/resolvemsg, Quarantined, Quarantined",
        "sequencer/head, Allowed, Allowed",
        "sequencer/edit, Quarantined, Quarantined",
        "rr-cache, Quarantined, Quarantined",
        "worktrees/odd, Quarantined, Quarantined",
        "lfs/objects/ab, Allowed, Allowed",
        "something, Quarantined, Quarantined",
        "lazygit.yml, Quarantined, Quarantined",
        "sl/config, Quarantined, Quarantined",
        "gk/config, Quarantined, Quarantined",
        "branchless/config, Quarantined, Quarantined",
        "git-crypt/keys/default, Quarantined, Quarantined",
        "safe, Quarantined, Quarantined",
        "something.lock, Quarantined, Quarantined",
        "info/something, Quarantined, Quarantined",
        "lfs/something, Quarantined, Quarantined",
        "svn/.caches/has_no_changes.db, Quarantined, Quarantined",
        "svn/.cache\u017f/x, Quarantined, Quarantined",
        "\u00e9, Quarantined, Quarantined",
        "objects/info/alternate\u017f, Quarantined, Quarantined",
        "refs/heads/\u00e9, Allowed, Allowed",
        "lfs/logs/x.log, Allowed, Allowed",
        "annex/objects/x/y, Allowed, Allowed",
        "svn/refs/remotes/git-svn/index, Allowed, Allowed",
        "machete, Reported, Reported",
        "lint-staged_unstaged.patch, Reported, Reported",
        ".watchman-cookie-host-1-2, Reported, Reported",
        ".COMMIT_EDITMSG.swp, Reported, Reported",
        "NOTES_MERGE_REF, Allowed, Allowed",
        "NOTES_MERGE_PARTIAL, Allowed, Allowed",
        "SQUASH_MSG, Allowed, Allowed",
        "MERGE_RR, Quarantined, Quarantined",
        "MERGE_AUTOSTASH, Reported, Reported",
        "ADD_EDIT.patch, Allowed, Allowed",
        "addp-hunk-edit.diff, Allowed, Allowed",
        "GITGUI_BCK, Allowed, Allowed",
        "GITGUI_MSG, Allowed, Allowed",
        "fast_import_crash_123, Allowed, Allowed",
        "info/fast-import/marks, Allowed, Allowed",
        "fsmonitor--daemon/cookies/1-2, Allowed, Allowed",
        "shallow, Quarantined, Quarantined",
        "shallow.lock, Reported, Reported",
        "objects/maintenance.lock, Reported, Reported",
        "objects/tmp_objdir-incoming-abcdef/pack/x, Allowed, Allowed",
        "Hooks/post-commit, Quarantined, Quarantined"
    })
    void createdEntries(String entry, String inExisting, String inNew) throws Exception {
        Path file = git.resolve(entry);
        Files.createDirectories(file.getParent());
        boolean commit = entry.startsWith("refs/") || entry.endsWith("_HEAD");
        Files.writeString(file, commit ? COMMIT : "../evil\n");

        assertThat(judge(false, entry, Change.CREATED).getClass().getSimpleName())
                .isEqualTo(inExisting);
        assertThat(judge(true, entry, Change.CREATED).getClass().getSimpleName())
                .isEqualTo(inNew);
    }

    @ParameterizedTest
    @ValueSource(strings = {"config", "hooks/pre-push.sample", "HEAD", "info/attributes", "commondir"})
    void changedAndRemovedOnesAreRestored(String entry) throws Exception {
        Files.writeString(git.resolve(entry), "x");
        assertThat(judge(false, entry, Change.CHANGED)).isInstanceOf(Verdict.Restored.class);

        Files.delete(git.resolve(entry));
        assertThat(judge(false, entry, Change.REMOVED)).isInstanceOf(Verdict.Restored.class);
        assertThat(judge(false, "refs/heads/main", Change.REMOVED)).isInstanceOf(Verdict.Allowed.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "logs/HEAD",
                "index",
                "refs/heads/x",
                "objects/ab",
                "packed-refs",
                "FETCH_HEAD",
                "hooks",
                "other",
                "a b"
            })
    void linksPipesAndOthersFilesAreMovedUnderEveryName(String entry) throws Exception {
        Path file = git.resolve(entry);
        shell(root, "rm -rf '" + file + "'");
        Files.createSymbolicLink(file, Path.of("/etc/passwd"));
        assertThat(judge(true, entry, Change.CREATED)).isInstanceOf(Verdict.Quarantined.class);

        shell(root, "rm '" + file + "' && mkfifo '" + file + "'");
        assertThat(judge(true, entry, Change.CREATED)).isInstanceOf(Verdict.Quarantined.class);

        shell(root, "rm '" + file + "' && touch '" + file + "'");
        if (entry.equals("index")) {
            shell(root, "rm .git/index && git add .");
        } else if (entry.startsWith("refs/")) {
            Files.writeString(file, COMMIT);
        }
        Territory foreign = new Territory(GitReferee.territory(root).roots(), Set.of(12_345));
        assertThat(new GitDirectoryRules(repository(git), foreign, true).judge(Path.of(entry), Change.CREATED))
                .isInstanceOf(Verdict.Quarantined.class);
        if (!List.of("hooks", "other", "a b").contains(entry)) {
            assertThat(judge(true, entry, Change.CREATED)).isNotInstanceOf(Verdict.Quarantined.class);
        }
    }

    @Test
    void configurationOfNewRepositoryIsCleaned() throws Exception {
        assertThat(judge(true, "config", Change.CREATED)).isInstanceOf(Verdict.Allowed.class);

        shell(root, "git config core.fsmonitor evil && git config remote.o.url https://example.org/x");

        assertThat(judge(true, "config", Change.CREATED)).isInstanceOfSatisfying(Verdict.Replaced.class, verdict -> {
            assertThat(verdict.reason()).contains("core.fsmonitor").doesNotContain("remote.o.url");
            assertThat(verdict.content()).contains("https://example.org/x").doesNotContain("evil");
        });
        Files.writeString(git.resolve("config"), "[core");
        assertThat(judge(true, "config", Change.CREATED)).isInstanceOf(Verdict.Replaced.class);
    }

    @ParameterizedTest
    @CsvSource({
        "group, Allowed",
        "everybody, Allowed",
        "umask, Allowed",
        "2, Allowed",
        "0660, Allowed",
        "0664, Allowed",
        "0666, Replaced",
        "0777, Replaced",
        "602, Replaced",
        "4, Replaced",
        "evil, Replaced",
        "'', Replaced"
    })
    void newRepositoryIsSharedWithGroupAtMost(String value, String verdict) throws Exception {
        shell(root, "git config core.sharedRepository '" + value + "'");

        assertThat(judge(true, "config", Change.CREATED).getClass().getSimpleName())
                .isEqualTo(verdict);
    }

    @ParameterizedTest
    @ValueSource(strings = {"exec evil", "x evil", "break", "b", "pick 1\nexec evil", "nonsense"})
    void unfinishedRebaseWithProgramsIsMoved(String steps) throws Exception {
        Path list = Files.createDirectory(git.resolve("rebase-merge")).resolve("git-rebase-todo");
        Files.writeString(list, steps);
        assertThat(judge(false, "rebase-merge/git-rebase-todo", Change.CREATED))
                .isInstanceOf(Verdict.Quarantined.class);

        Files.writeString(list, "# x\npick 0123 subject exec\n\nfixup -C 0123\nmerge -C 1 a # b\n");
        assertThat(judge(false, "rebase-merge/git-rebase-todo", Change.CREATED)).isInstanceOf(Verdict.Allowed.class);
        assertThat(judge(false, "rebase-merge", Change.CREATED)).isInstanceOf(Verdict.Reported.class);
    }

    @Test
    void dangerousContentsAreMovedOrRestored() throws Exception {
        Files.writeString(git.resolve("BISECT_NAMES"), "'a b' 'c'\n");
        assertThat(judge(false, "BISECT_NAMES", Change.CREATED)).isInstanceOf(Verdict.Reported.class);
        Files.writeString(git.resolve("BISECT_NAMES"), "'a' $(evil)");
        assertThat(judge(false, "BISECT_NAMES", Change.CREATED)).isInstanceOf(Verdict.Quarantined.class);

        Files.writeString(git.resolve("HEAD"), "ref: refs/heads/$(evil)\n");
        assertThat(judge(false, "HEAD", Change.CHANGED)).isInstanceOf(Verdict.Reported.class);
        Files.writeString(git.resolve("HEAD"), "ref: refs/../config\n");
        assertThat(judge(false, "HEAD", Change.CHANGED)).isInstanceOf(Verdict.Restored.class);
    }

    @Test
    void lineFeedInNameEvadesNoRule() throws Exception {
        Files.createDirectory(git.resolve("remotes"));
        Files.writeString(git.resolve("remotes/a\nb"), "URL: x");

        assertThat(judge(true, "remotes/a\nb", Change.CREATED)).isInstanceOf(Verdict.Quarantined.class);
    }

    @Test
    void namesInAnotherCaseEvadeNoRule() throws Exception {
        Files.writeString(git.resolve("Fetch_Head"), COMMIT.strip() + "\t\tbranch 'main' of ../x\n");
        assertThat(judge(false, "Fetch_Head", Change.CREATED)).isInstanceOf(Verdict.Allowed.class);

        assertThat(GitDirectoryRules.mayHaveLostItsBase(
                        Path.of("Index"), Set.of(Path.of("SharedIndex.0")), Set.of(), base -> false))
                .isTrue();
    }

    @Test
    void remoteOutsideWorktreeIsReported() throws Exception {
        shell(root, "git init -q --bare inner.git && git config remote.i.url ./inner.git");
        assertThat(judge(true, "config", Change.CREATED)).isInstanceOf(Verdict.Allowed.class);

        shell(root, "git config remote.o.pushurl ../elsewhere");
        assertThat(judge(true, "config", Change.CREATED)).isInstanceOf(Verdict.Reported.class);
    }

    @Test
    void recordsOfWorktreesElsewhereAreRestoredAndOwnOnesAreNot() throws Exception {
        shell(root, "git worktree add -q inner && git worktree add -q ../outer");
        GitDirectoryRules inner = rules("worktrees/inner", false);
        GitDirectoryRules outer = rules("worktrees/outer", false);

        assertThat(inner.judge(Path.of("HEAD"), Change.CHANGED)).isInstanceOf(Verdict.Allowed.class);
        assertThat(outer.judge(Path.of("HEAD"), Change.CHANGED)).isInstanceOf(Verdict.Restored.class);
        assertThat(outer.judge(Path.of("index"), Change.CHANGED)).isInstanceOf(Verdict.Restored.class);
        assertThat(inner.judge(Path.of("commondir"), Change.CHANGED)).isInstanceOf(Verdict.Restored.class);
        assertThat(rules("worktrees/inner", true).judge(Path.of("commondir"), Change.CREATED))
                .isInstanceOf(Verdict.Allowed.class);
        assertThat(rules("worktrees/outer", true).judge(Path.of("commondir"), Change.CREATED))
                .isInstanceOf(Verdict.Quarantined.class);

        shell(root, "rm -rf ../outer && git worktree prune");
        assertThat(outer.judge(Path.of("HEAD"), Change.REMOVED)).isInstanceOf(Verdict.Allowed.class);
    }

    private GitDirectoryRules rules(String record, boolean isNew) throws Exception {
        return new GitDirectoryRules(repository(git.resolve(record)), GitReferee.territory(root), isNew);
    }

    @Test
    void alternatesOfNewRepositoryStayInside() throws Exception {
        shell(root, "git clone -q --shared . inner && git init -q ../outer");
        Path own = root.resolve("inner/.git");
        GitDirectoryRules rules = new GitDirectoryRules(repository(own), GitReferee.territory(root), true);
        Path alternates = Path.of("objects/info/alternates");

        assertThat(rules.judge(alternates, Change.CREATED)).isInstanceOf(Verdict.Allowed.class);

        Files.writeString(own.resolve(alternates), directory.toRealPath().resolve("outer/.git/objects") + "\n");
        assertThat(rules.judge(alternates, Change.CREATED)).isInstanceOf(Verdict.Quarantined.class);
    }
}
