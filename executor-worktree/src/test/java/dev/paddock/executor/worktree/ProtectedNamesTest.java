package dev.paddock.executor.worktree;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.executor.policy.ProtectedPaths;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the names that are protected by default, and the links by which they are reached. */
class ProtectedNamesTest extends GuardedWorktree {

    /** A result has no more than 100 notices. */
    private static final int AT_A_TIME = 40;

    static Stream<List<String>> names() {
        List<String> all = ProtectedPaths.standard().names().stream()
                .filter(name -> !name.startsWith(".git/"))
                .toList();
        return IntStream.iterate(0, from -> from < all.size(), from -> from + AT_A_TIME)
                .mapToObj(from -> all.subList(from, Math.min(from + AT_A_TIME, all.size())));
    }

    private static Set<String> namesInTable(String text) {
        return text.lines()
                .filter(line -> line.startsWith("|"))
                .flatMap(line -> Pattern.compile("`([^`]+)`").matcher(line).results())
                .map(name -> name.group(1))
                .collect(Collectors.toSet());
    }

    @Test
    void pageListsExactlyProtectedAndReportedNames() throws Exception {
        String page = Files.readString(Path.of("..", "docs", "protection.md"));
        int protectedFrom = page.indexOf("## Protected names");
        int reportedFrom = page.indexOf("## Reported names");

        assertThat(namesInTable(page.substring(protectedFrom, reportedFrom)))
                .isEqualTo(new HashSet<>(ProtectedPaths.standard().names()));
        assertThat(namesInTable(page.substring(reportedFrom, page.indexOf("## Names outside"))))
                .isEqualTo(new HashSet<>(ReportedNames.all()));
    }

    @ParameterizedTest
    @MethodSource("names")
    void whatCommandCreatesThereIsMovedAndWhatItChangesRestored(List<String> names) throws Exception {
        String all = "'" + String.join("' '", names) + "'";
        shell(
                worktree,
                "git init -q sub && cd sub && for n in " + all
                        + "; do mkdir -p \"$n\" && echo mine > \"$n/file\"; done");
        refresh();

        assertThat(command("for n in " + all
                        + "; do mkdir -p \"$n\"; rmdir \"$n\"; echo evil > \"$n\"; echo evil > \"sub/$n/file\"; done"))
                .hasSize(2 * names.size());

        for (String name : names) {
            assertThat(worktree.resolve(name)).doesNotExist();
            assertThat(worktree.resolve("sub").resolve(name).resolve("file")).hasContent("mine");
            assertThat(inQuarantine(Path.of(name).getFileName().toString())).exists();
        }
        assertThat(command("true")).isEmpty();
    }

    @Test
    void hostsDebuggerRunsNothingOfCommand() throws Exception {
        String plant = "echo 'system(\"touch ran\");' > .perldb";
        String host = "echo q | perl -de0";
        command(plant);

        shell(worktree, host);
        assertThat(worktree.resolve("ran")).doesNotExist();

        shell(worktree, plant + "; " + host);
        assertThat(worktree.resolve("ran")).as("without the guard").exists();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "mkdir made; echo evil > made/hgrc; ln -s made .hg",
                "mkdir -p made/repo; echo evil > made/repo/config.toml; ln -s made .jj",
                "mkdir -p .jj made; echo evil > made/config.toml; ln -s ../made .jj/repo",
            })
    void linkOnWayToProtectedNameIsMoved(String plant) throws Exception {
        assertThat(command(plant)).hasSize(1);

        assertThat(worktree.resolve(".hg/hgrc")).doesNotExist();
        assertThat(worktree.resolve(".jj/repo/config.toml")).doesNotExist();
        assertThat(worktree.resolve("made")).as("an ordinary directory").isDirectory();
    }

    @Test
    void directoryThatLinkReplacesOnWayIsRestored() throws Exception {
        shell(worktree, "mkdir .hg made && echo mine > .hg/hgrc && echo evil > made/hgrc");
        refresh();

        assertThat(command("mv .hg away && ln -s made .hg")).isNotEmpty();

        assertThat(worktree.resolve(".hg")).isDirectory();
        assertThat(worktree.resolve(".hg/hgrc")).hasContent("mine");
        assertThat(Files.isSymbolicLink(worktree.resolve(".hg"))).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ln -s ../../scripts/check .git/hooks/pre-commit",
                "rm -rf .git/hooks && ln -s ../scripts .git/hooks",
                "ln -s scripts/check .envrc",
                "ln -s scripts .vscode",
                "mkdir .husky && ln -s ../scripts/check .husky/pre-commit",
                "mkdir .claude && ln -s ../dot .claude/hooks && ln -s scripts dot",
                "ln -s scripts .config && mkdir scripts/git && mv scripts/check scripts/git/ && ln -s git/check scripts/check"
            })
    void whatUsersOwnLinksLeadToIsProtected(String link) throws Exception {
        shell(worktree, "mkdir scripts other && echo mine > scripts/check && " + link);
        refresh();

        assertThat(command("echo evil > scripts/check; echo more > other/file")).hasSize(1);

        assertThat(worktree.resolve("scripts/check")).hasContent("mine");
        assertThat(worktree.resolve("other/file")).exists();
        assertThat(command("true")).isEmpty();
    }

    @Test
    void whatLastOfManyEntriesLeadsToIsProtected() throws Exception {
        shell(
                worktree,
                "mkdir scripts .vscode && echo mine > scripts/check && cd .vscode && seq 10001 | xargs touch"
                        + " && ln -s ../scripts/check z");
        refresh();

        assertThat(command("echo evil > scripts/check")).hasSize(1);
        assertThat(worktree.resolve("scripts/check")).hasContent("mine");
    }

    @Test
    void whatCommandCreatesAtEndOfUsersLinkIsMoved() throws Exception {
        shell(worktree, "mkdir scripts && ln -s scripts/later .envrc");
        refresh();

        assertThat(command("echo evil > scripts/later")).hasSize(1);

        assertThat(worktree.resolve("scripts/later")).doesNotExist();
        assertThat(worktree.resolve(".envrc")).isSymbolicLink();
    }

    @Test
    void linkOnWayToTargetIsMoved() throws Exception {
        shell(worktree, "git config core.hooksPath config/hooks && ln -s tools/check .envrc && mkdir made made/hooks");
        refresh();

        assertThat(
                        command(
                                "echo evil > made/check; echo evil > made/hooks/pre-commit; ln -s made tools; ln -s made config"))
                .hasSize(2);

        assertThat(worktree.resolve("tools")).doesNotExist();
        assertThat(worktree.resolve("config")).doesNotExist();
    }

    @Test
    void linkToDirectoryWithRepositoryKeepsNobodyFromWorkingThere() throws Exception {
        shell(worktree, "git init -q sub && ln -s sub .claude");
        refresh();

        assertThat(command("cd sub && echo n > n && git add n && git commit -qm n"))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"ho\u200doks/post-commit", "common\ufeffdir", "con\u200cfig.worktree", "info/at\u2060tributes"})
    void nameThatFileSystemMayTakeForOneInGitDirectoryIsMoved(String name) throws Exception {
        List<String> notices = command("mkdir -p \"$(dirname '.git/" + name + "')\"; echo a > '.git/" + name + "'");

        assertThat(worktree.resolve(".git/" + name)).as("%s", notices).doesNotExist();
    }
}
