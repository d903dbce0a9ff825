package dev.paddock.executor.worktree;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.executor.policy.ProtectedPaths;
import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests the reports on changes that stay, since ordinary work makes them too. */
class ReportTest extends GuardedWorktree {

    @Test
    void flagsThatHideChangesAreReportedOnce() throws Exception {
        shell(worktree, "echo b > b && git add b && git update-index --skip-worktree b");
        assertThat(command("true")).as("the user's own").isEmpty();

        List<String> notices = command("git update-index --assume-unchanged a");

        assertThat(notices)
                .singleElement()
                .asString()
                .contains(".git/index", "does not show changes of 'a'", "assume-unchanged")
                .doesNotContain("'b'");
        assertThat(command("echo c > c && git add c")).isEmpty();
    }

    @Test
    void sentenceIsNotAsLongAsCommandMakesIt() throws Exception {
        List<String> notices = command("git init -q new && { echo '[x]'; seq -f k%.0f 20000; } >> new/.git/config");

        assertThat(notices)
                .singleElement()
                .asString()
                .contains("new/.git/config")
                .hasSizeLessThan(2_100);
    }

    @Test
    void flagsInSharedIndexAreReported() throws Exception {
        // Git writes an entry again, without its name, if the file is as young as the index.
        command("touch -d '1 hour ago' a && git update-index --refresh --split-index");

        List<String> notices = command(
                "git update-index --no-split-index && git update-index --skip-worktree a && git update-index --split-index");

        assertThat(notices).singleElement().asString().contains("does not show changes of", "'a'");
    }

    @Test
    void flagsOfEntriesThatReplaceThoseOfSharedIndexAreReported() throws Exception {
        command("git update-index --split-index");

        assertThat(command("git update-index --skip-worktree a"))
                .singleElement()
                .asString()
                .contains("'a'");
    }

    @Test
    void flagsInRepositoryWithLongObjectNamesAreReported() throws Exception {
        command("git init -q --object-format=sha256 new && cd new && echo a > a && git add a");

        assertThat(command("cd new && git update-index --skip-worktree a"))
                .singleElement()
                .asString()
                .contains("new/.git/index", "'a'");
    }

    @Test
    void flagsThatCommandSetsWhileAnotherLivesAreReported() throws Exception {
        WorktreeGuard.Command background = guard.begin(ProtectionPlan.NONE);
        assertThat(command("git update-index --skip-worktree a")).hasSize(1);

        assertThat(background.settle()).isEmpty();
    }

    @Test
    void attributesThatNameUsersDriversAreReported() throws Exception {
        shell(worktree, "git init -q sub && git config filter.sign.clean cat && git config diff.doc.textconv cat");
        shell(worktree, "echo '*.x filter=sign' > .gitattributes");
        refresh();

        assertThat(command("echo '*.y filter=sign text' >> .gitattributes; echo '* text' > sub/.gitattributes"))
                .isEmpty();
        List<String> notices = command(
                "echo '*.md diff=doc filter=other' >> .gitattributes; echo '* filter=sign' > sub/.gitattributes");

        assertThat(notices).hasSize(2);
        assertThat(notices.get(0))
                .contains("'" + worktree.resolve(".gitattributes"), "diff=doc")
                .doesNotContain("filter=");
        assertThat(notices.get(1)).contains("sub/.gitattributes", "filter=sign");
        assertThat(command("true")).isEmpty();
    }

    @Test
    void filesThatProgramsOfHostObeyAreReportedAndStay() throws Exception {
        shell(worktree, "mkdir -p .github/workflows && echo on > .github/workflows/ci.yml && echo first > CLAUDE.md");
        assertThat(command("true")).as("the user's own").isEmpty();

        List<String> notices = command("echo evil >> .github/workflows/ci.yml; echo evil > AGENTS.md;"
                + " echo evil >> CLAUDE.md; echo evil > .gitmodules; echo evil > .pre-commit-config.yaml");

        assertThat(notices).hasSize(5).allSatisfy(notice -> assertThat(notice).contains("It stays"));
        assertThat(String.join("\n", notices))
                .contains(".github/workflows'", "AGENTS.md", "CLAUDE.md", ".gitmodules", ".pre-commit-config.yaml");
        assertThat(worktree.resolve("AGENTS.md")).hasContent("evil");
        assertThat(worktree.resolve("CLAUDE.md")).content().contains("evil");
        assertThat(command("true")).as("reported once").isEmpty();
    }

    @Test
    void everyNameIsReportedAndStays() throws Exception {
        List<String> notices = command(
                "for n in " + String.join(" ", ReportedNames.all()) + "; do mkdir -p $n; echo evil > $n/file; done");

        assertThat(notices).hasSameSizeAs(ReportedNames.all());
        for (String name : ReportedNames.all()) {
            assertThat(notices).anyMatch(notice -> notice.contains("/" + name + "'") && notice.contains("It stays"));
            assertThat(worktree.resolve(name).resolve("file")).exists();
        }
    }

    @Test
    void noNameIsBothReportedAndProtected() {
        assertThat(ReportedNames.all()).noneMatch(ProtectedPaths.standard()::covers);
    }

    @Test
    void instructionsInRepositoryThatCommandCreatesAreReported() throws Exception {
        assertThat(command("git init -q new && echo x > new/CLAUDE.md"))
                .singleElement()
                .asString()
                .contains("new/CLAUDE.md");
    }

    @Test
    void reportedFilesThatAreRemovedAreNotMentioned() throws Exception {
        Files.writeString(worktree.resolve("AGENTS.md"), "x");

        assertThat(command("rm AGENTS.md")).isEmpty();
    }
}
