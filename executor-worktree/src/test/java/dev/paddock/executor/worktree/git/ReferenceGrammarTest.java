package dev.paddock.executor.worktree.git;

import static dev.paddock.executor.worktree.git.GitReferee.shell;
import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.executor.worktree.git.GitDirectoryRules.Change;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Compares the grammar of references with the real git, and applies the rules to odd ones. */
class ReferenceGrammarTest {
    private static final int ROUNDS = Integer.getInteger("paddock.git.rounds", 100);
    private static final List<String> PARTS = List.of(
            "a", "b-c", ".", "..", "@", "{", "@{", "/", "//", ".lock", "~", "^", ":", "?", "*", "[", "\\", " ", "\t",
            "\n", "\u007f", "\u00e9", "$(x)", "'", "-x", "HEAD", "}", "lock");
    private static final String COMMIT = "0123456789012345678901234567890123456789";
    private static final String LONG = COMMIT + "012345678901234567890123";

    @TempDir
    private static Path pristine;

    @TempDir
    Path root;

    private Path git;
    private GitDirectoryRules rules;

    @BeforeAll
    static void createRepository() throws Exception {
        shell(
                pristine,
                "git init -q -b main . && echo a > a && git add a && git commit -qm a && git tag -a -m t t"
                        + " && git branch other && git pack-refs --all");
    }

    @BeforeEach
    void copyRepository() throws Exception {
        root = root.toRealPath();
        git = root.resolve(".git");
        shell(root, "cp -a '" + pristine + "/.' .");
        rules = rules(false);
    }

    private GitDirectoryRules rules(boolean isNew) throws Exception {
        Territory territory = GitReferee.territory(root);
        return new GitDirectoryRules(
                new RepositoryFinder(territory).below(root).repositories().get(0), territory, isNew);
    }

    private Verdict judge(String entry, String content, Change change) throws Exception {
        Path file = git.resolve(entry);
        Files.createDirectories(file.resolveSibling(""));
        Files.writeString(file, content, StandardCharsets.ISO_8859_1);
        return rules.judge(Path.of(entry), change);
    }

    @Test
    void namesAreThoseThatGitTakes() throws Exception {
        long seed = Long.getLong("paddock.git.seed", 1);
        Random random = new Random(seed);
        int valid = 0;
        for (int round = 0; round < ROUNDS; round++) {
            StringBuilder name = new StringBuilder("refs/");
            for (int parts = 1 + random.nextInt(4); parts > 0; parts--) {
                name.append(PARTS.get(random.nextInt(random.nextInt(4) == 0 ? PARTS.size() : 4)));
            }
            boolean taken = GitReferee.run(root, "git", "check-ref-format", name.toString())
                            .status()
                    == 0;
            assertThat(ReferenceGrammar.isName(name.toString()))
                    .as("seed " + seed + ": " + name)
                    .isEqualTo(taken);
            valid += taken ? 1 : 0;
        }
        assertThat(valid).as("valid names, seed " + seed).isGreaterThan(ROUNDS / 20);
    }

    @Test
    void whatGitWritesStays() throws Exception {
        for (String step : List.of(
                "git checkout -q other",
                "git checkout -q --detach",
                "git checkout -q main; git clone -q . copy; git -C copy commit -q --allow-empty -m c; git fetch -q copy main HEAD",
                "git merge -q FETCH_HEAD; git symbolic-ref refs/heads/link refs/heads/main; git remote update",
                "git checkout -q other; echo b > a; git commit -qam b; git checkout -q main; echo c > a; git commit -qam c;"
                        + " git merge other || git merge --abort; git cherry-pick other || true; git stash || true",
                "git pack-refs --all; git branch -D other; git tag -d t; git reset -q --hard HEAD~1")) {
            shell(root, step);
            for (String entry : List.of(
                    "HEAD",
                    "packed-refs",
                    "FETCH_HEAD",
                    "ORIG_HEAD",
                    "CHERRY_PICK_HEAD",
                    "refs/heads/link",
                    "refs/heads/main")) {
                assertThat(rules.judge(Path.of(entry), Change.CREATED))
                        .as(entry + " after " + step)
                        .isInstanceOf(Verdict.Allowed.class);
            }
        }
        assertThat(judge("MERGE_HEAD", (COMMIT + "\n").repeat(300_000), Change.CREATED))
                .isInstanceOf(Verdict.Allowed.class);
        assertThat(judge("FETCH_HEAD", "", Change.CREATED)).isInstanceOf(Verdict.Allowed.class);
        assertThat(judge("HEAD", LONG + "\n", Change.CREATED)).isInstanceOf(Verdict.Allowed.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "ref: refs/heads/main",
                "ref: refs/heads/main\n\n",
                "ref:refs/heads/main\n",
                "ref: refs/heads/a..b\n",
                "ref: refs/heads/a b\n",
                "ref: refs/heads/.a\n",
                "ref: refs/heads/a.lock\n",
                "ref: refs/\n",
                "ref: HEAD\n",
                "ref: refs/heads/a\nx\n",
                COMMIT,
                COMMIT + "\nx",
                COMMIT + "0\n",
                "G" + COMMIT + "\n",
                " " + COMMIT + "\n"
            })
    void oddHeadsAreUndoneAndOddReferencesAreToo(String content) throws Exception {
        assertThat(judge("HEAD", content, Change.CHANGED)).isInstanceOf(Verdict.Restored.class);
        assertThat(judge("refs/heads/new", content, Change.CREATED)).isInstanceOf(Verdict.Quarantined.class);
        assertThat(judge("refs/heads/main", content, Change.CHANGED)).isInstanceOf(Verdict.Reported.class);
        assertThat(judge("ORIG_HEAD", content, Change.CREATED)).isInstanceOf(Verdict.Quarantined.class);
    }

    @Test
    void referencesAreReadUpToBound() throws Exception {
        assertThat(judge("refs/heads/new", "ref: refs/heads/" + "a/".repeat(600) + "a\n", Change.CREATED))
                .isInstanceOf(Verdict.Quarantined.class);
        assertThat(judge("refs/heads/new", "ref: refs/heads/$(x)\n", Change.CREATED))
                .isInstanceOf(Verdict.Reported.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "# x\n",
                "# pack-refs with: peeled\u0007 \n",
                COMMIT + " refs/heads/a",
                COMMIT + " refs/heads/a..b\n",
                COMMIT + "  refs/heads/a\n",
                COMMIT + " HEAD\n",
                COMMIT + "\trefs/heads/a\n",
                "^" + COMMIT + "\n",
                COMMIT + " refs/heads/a\n^" + COMMIT + "\n^" + COMMIT + "\n",
                COMMIT + " refs/heads/a\n^x\n",
                COMMIT + " refs/heads/a\n# pack-refs with: peeled \n",
                "\n",
                COMMIT + " refs/heads/../../x\n",
                "0 refs/heads/a\n"
            })
    void oddListsOfReferencesAreRestored(String content) throws Exception {
        assertThat(judge("packed-refs", content, Change.CHANGED)).isInstanceOf(Verdict.Restored.class);
        assertThat(judge("packed-refs", content, Change.CREATED)).isInstanceOf(Verdict.Quarantined.class);
        assertThat(judge("packed-refs.new", content, Change.CREATED)).isInstanceOf(Verdict.Quarantined.class);
        Files.delete(git.resolve("packed-refs"));
        assertThat(rules.judge(Path.of("packed-refs"), Change.REMOVED)).isInstanceOf(Verdict.Allowed.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                COMMIT + "\n",
                COMMIT + "\t\tbranch 'a' of x",
                COMMIT + "\tx\tbranch 'a' of x\n",
                COMMIT + "\t\tbranch\u001b[2J\n",
                "x\t\tbranch\n",
                "\n",
                COMMIT + "\t\tbranch\n\n"
            })
    void oddFetchedCommitsAreMoved(String content) throws Exception {
        assertThat(judge("FETCH_HEAD", content, Change.CHANGED)).isInstanceOf(Verdict.Quarantined.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"%s\"\n",
                "# x\n%s\n",
                "%s",
                "%s\n\n",
                "%s\r\n",
                "\"/\\145tc\"\n",
                "#\n",
                "/etc\n",
                "../../../..\n"
            })
    void onlyPlainAlternatesInsideStay(String content) throws Exception {
        shell(root, "git init -q other");
        String inside = root.resolve("other/.git/objects").toString();
        rules = rules(true);
        assertThat(judge("objects/info/alternates", inside + "\n../../other/.git/objects\n", Change.CREATED))
                .isInstanceOf(Verdict.Allowed.class);

        String odd = content.replace("%s", inside);
        for (String line : odd.split("\n", -1)) {
            // A directory of that very name exists, inside: git takes the line for another one, or for a remark.
            Files.createDirectories(git.resolve("objects").resolve(line));
        }
        assertThat(judge("objects/info/alternates", odd, Change.CREATED)).isInstanceOf(Verdict.Quarantined.class);
    }

    /** Positive control: git reads the objects that a path in quotes names. */
    @Test
    void gitReadsAlternatesInQuotes() throws Exception {
        shell(root, "git init -q other && git -C other hash-object -w --stdin < a");
        String object = shell(root, "git hash-object a").strip();
        shell(root, "git init -q third");
        Path alternates = root.resolve("third/.git/objects/info/alternates");

        Files.writeString(alternates, "\"" + root + "/\\157ther/.git/objects\"\n");

        assertThat(shell(root, "git -C third cat-file -p " + object)).isEqualTo("a\n");
    }
}
