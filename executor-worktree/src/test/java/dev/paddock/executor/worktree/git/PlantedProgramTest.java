package dev.paddock.executor.worktree.git;

import static dev.paddock.executor.worktree.git.GitReferee.shell;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Plants programs in a tree by ways that git obeys, carries out the verdicts, and runs the host's
 * git in every directory: no planted program may run. The system property {@code
 * paddock.git.rounds} sets how many combinations are tried; {@code paddock.git.seed} begins elsewhere.
 */
@Tag("full")
class PlantedProgramTest {
    private static final int ROUNDS = Math.max(1, Integer.getInteger("paddock.git.rounds", 100) / 100);

    /** Each plants {@code $E}, a program that leaves a mark, in the git directory {@code $G}. */
    private static final List<String> INTO_GIT_DIRECTORY = List.of(
            "printf '[core]\\n\\tfsmonitor = %s\\n' $E >> $G/config",
            "printf '[core][core]fsmonitor=%s\\n' $E >> $G/config",
            "printf '[core]\\n\\tfsmonitor = %s\\n' $E > more; printf '[include]path=%s\\n' $PWD/more >> $G/config",
            "printf '[extensions]\\nworktreeConfig=true\\n' >> $G/config; printf '[core]\\nfsmonitor=%s\\n' $E > $G/config.worktree",
            "mkdir -p $G/hooks; for h in post-index-change pre-commit reference-transaction; do cp $E $G/hooks/$h; done",
            "rm -rf $G/hooks; mkdir x-hooks; cp $E x-hooks/reference-transaction; ln -s $PWD/x-hooks $G/hooks",
            "mkdir -p evil.git/objects evil.git/refs; cp $G/HEAD evil.git; printf '[core]\\nfsmonitor=%s\\n' $E > evil.git/config;"
                    + " echo $PWD/evil.git > $G/commondir",
            "printf '[filter \"z\"]\\nclean=%s\\n' $E >> $G/config; mkdir -p $G/info; echo '* filter=z' > $G/info/attributes",
            "rm $G/config; printf '[core]\\nfsmonitor=%s\\n' $E > other; ln -s $PWD/other $G/config",
            "mkdir -p $G/rebase-merge; git rev-parse HEAD > $G/rebase-merge/onto; cp $G/rebase-merge/onto $G/rebase-merge/orig-head;"
                    + " echo detached > $G/rebase-merge/head-name; touch $G/rebase-merge/interactive; : > $G/rebase-merge/done;"
                    + " echo exec $E > $G/rebase-merge/git-rebase-todo; echo 1 > $G/rebase-merge/msgnum; echo 1 > $G/rebase-merge/end",
            "mkdir -p $G/worktrees/w; cp $G/HEAD $G/worktrees/w; echo ../.. > $G/worktrees/w/commondir;"
                    + " printf '[core]\\nfsmonitor=%s\\n' $E > $G/worktrees/w/config.worktree; mkdir w;"
                    + " printf '[extensions]\\nworktreeConfig=true\\n' >> $G/config;"
                    + " echo $PWD/w/.git > $G/worktrees/w/gitdir; echo gitdir: $PWD/$G/worktrees/w > w/.git");

    /** Each plants a repository with {@code $E}. */
    private static final List<String> AS_REPOSITORY = List.of(
            "cp -r .git/HEAD .git/objects .git/refs .git/index .; printf '[core]\\nrepositoryformatversion=0\\nfsmonitor=%s\\nworktree=.\\n' $E > config; echo x > .git/HEAD",
            "mkdir -p src; cp -r .git/HEAD .git/objects .git/refs .git/index src; printf '[core]\\nrepositoryformatversion=0\\nfsmonitor=%s\\nworktree=.\\n' $E > src/config",
            "git init -q mod; git -C mod commit -q --allow-empty -m x; printf '[core]\\nfsmonitor=%s\\n' $E >> mod/.git/config;"
                    + " git update-index --add --cacheinfo 160000,$(git -C mod rev-parse HEAD),mod",
            "git init -q --bare push.git; cp $E push.git/hooks/update; git -C push.git config core.fsmonitor $E",
            "git init -q hid; echo x > hid/x; git -C hid add x; printf '[core]\\nfsmonitor=%s\\n' $E >> hid/.git/config; mv hid/.git hid/any; mkdir pt; echo x > pt/x;"
                    + " echo gitdir: ../hid/any > pt/.git",
            "git init -q lnk; echo x > lnk/x; git -C lnk add x; printf '[core]\\nfsmonitor=%s\\n' $E >> lnk/.git/config; mv lnk/.git lnk/any; ln -s any lnk/.git",
            "mkdir -p .git/objects/aa/deep; cp -r .git/HEAD .git/refs .git/index .git/objects/aa/deep; cp -r .git/objects ../o; mv ../o .git/objects/aa/deep/objects;"
                    + " printf '[core]\\nrepositoryformatversion=0\\nfsmonitor=%s\\nworktree=.\\n' $E > .git/objects/aa/deep/config");

    /** A user's commands, with which git runs each kind of plant, up to the first mark {@code $M} of a program. */
    private static final String ON_HOST = "run() { test -e \"$M\" || git \"$@\"; }; run status; run diff;"
            + " test ! -d push.git || run push ./push.git HEAD:refs/heads/p; run rebase --continue; run add .;"
            + " run commit --allow-empty -m host";

    @TempDir
    static Path temporary;

    private static Path pristine;

    @TempDir
    Path directory;

    private Path root;
    private Path mark;
    private Path program;

    @BeforeAll
    static void createRepository() throws Exception {
        pristine = temporary.toRealPath().resolve("pristine");
        shell(
                temporary,
                "git init -q -b main pristine && cd pristine && echo a > a && git add a && git commit -qm a"
                        + " && echo b > a && git commit -qam b && git init -q old && git -C old commit -q --allow-empty -m x");
    }

    @BeforeEach
    void copyRepository() throws Exception {
        directory = directory.toRealPath();
        root = directory.resolve("root");
        mark = directory.resolve("mark");
        program = Files.writeString(directory.resolve("program"), "#!/bin/sh\ntouch '" + mark + "'\n");
        shell(directory, "chmod +x program && cp -a '" + pristine + "' root");
    }

    static Stream<String> plants() {
        return Stream.concat(INTO_GIT_DIRECTORY.stream().map(plant -> "G=.git; " + plant), AS_REPOSITORY.stream());
    }

    private static Stream<String> plantsInNewRepositories() {
        return INTO_GIT_DIRECTORY.stream()
                .map(plant -> "git init -q new; cd new; echo n > n; git add n; git commit -qm n; G=.git; " + plant);
    }

    @ParameterizedTest
    @MethodSource("plants")
    void plantRunsUnlessVerdictsAreCarriedOut(String plant) throws Exception {
        TreeReview review = TreeReview.before(root);
        shell(root, "E=" + program + "; " + plant);
        shell(directory, "cp -a root kept");
        assertThat(runsOnHost()).as("positive control").isTrue();
        shell(directory, "rm -rf root && mv kept root");

        carryOut(review);

        assertThat(runsOnHost()).as(plant).isFalse();
    }

    @Test
    void combinationsOfPlantsRunNothing() throws Exception {
        long seed = Long.getLong("paddock.git.seed", 1);
        Random random = new Random(seed);
        List<String> all = Stream.concat(plants(), plantsInNewRepositories()).toList();
        for (int round = 0; round < ROUNDS; round++) {
            shell(directory, "rm -rf root && cp -a '" + pristine + "' root");
            TreeReview review = TreeReview.before(root);
            List<String> planted = new ArrayList<>();
            for (int plant = 0; plant < 4; plant++) {
                planted.add(all.get(random.nextInt(all.size())));
                // One plant may prevent another, which then fails.
                GitReferee.run(root, "sh", "-c", "E=" + program + "; " + planted.get(plant));
            }
            carryOut(review);
            assertThat(runsOnHost()).as("seed " + seed + ": " + planted).isFalse();
        }
    }

    private void carryOut(TreeReview review) throws Exception {
        int passes = 0;
        do {
            review.undone();
            assertThat(passes++).as("passes until nothing is left to undo").isLessThan(6);
        } while (review.carryOut(pristine));
    }

    /**
     * Runs a user's git commands in every repository that git uses, inner ones first; returns whether a planted
     * program ran.
     */
    private boolean runsOnHost() throws Exception {
        Files.deleteIfExists(mark);
        Set<List<String>> used = new HashSet<>();
        for (Path in : directories()) {
            if (Files.exists(mark)) {
                break;
            }
            GitReferee.Answer git = GitReferee.run(in, "git", "rev-parse", "--absolute-git-dir", "--show-toplevel");
            List<String> lines = git.output().lines().toList(); // without a second line in a bare repository
            if (lines.isEmpty() || used.add(lines)) {
                GitReferee.run(
                        lines.size() == 2 ? Path.of(lines.get(1)) : in, "sh", "-c", "M='" + mark + "'; " + ON_HOST);
            }
        }
        return Files.exists(mark);
    }

    private List<Path> directories() throws IOException {
        try (Stream<Path> all = Files.walk(root)) {
            return all.filter(path -> Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS))
                    .filter(path -> !path.endsWith(".git")) // git uses the repository that it uses in the parent
                    .filter(path -> !path.toString().contains("/.git/") || path.endsWith("deep"))
                    .filter(path -> !path.toString().matches(".*/(refs|objects|hooks|info|branches|logs)(/.*)?")
                            || path.endsWith("deep"))
                    .sorted(Comparator.reverseOrder())
                    .toList();
        }
    }
}
