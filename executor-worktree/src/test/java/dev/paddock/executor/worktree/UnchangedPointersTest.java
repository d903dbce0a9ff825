package dev.paddock.executor.worktree;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests what stays the same itself and leads elsewhere: files and links that name others, once a command has exchanged
 * a name on the way for a link.
 */
class UnchangedPointersTest extends GuardedWorktree {
    private static final String IN_X = "! git -C x config core.fsmonitor";
    private static final String IN_TREE = "! git config core.fsmonitor";
    private static final String IN_W = "! git -C w rev-parse --show-toplevel | grep far";
    private static final String NO_HOOK = "git commit -q --allow-empty -m x; test ! -e ran";

    private static final String APART = "git init -q --separate-git-dir=apart x; ";
    private static final String LINKED = "git init -q m; git -C m commit -q --allow-empty -m m;"
            + " git -C m worktree add -q ../w; cd m/.git/worktrees/w; ";
    private static final String SEVERAL = "mkdir three; ln -s three two; ";

    private static final String TO_APART = "rm -rf apart; ln -s ../outside/.git apart";
    private static final String VIA = "rm -r via; ln -s ../far/sub via";
    private static final String TO_FAR = "ln -sfn ../far two";

    @TempDir
    private static Path others;

    /**
     * What names another file.
     *
     * @param made makes it in the worktree
     * @param exchanged exchanges a name on its way
     * @param check fails if git or an editor then comes out of the worktree
     */
    record Pointer(String made, String exchanged, String check) {}

    /** Those that a command may make. */
    static Stream<Pointer> ofCommands() {
        return Stream.of(
                new Pointer(APART, TO_APART, IN_X),
                new Pointer(
                        APART,
                        "mv apart moved; git config -f moved/config core.fsmonitor evil; ln -s moved apart",
                        IN_X),
                new Pointer(APART, "rm -rf x; ln -s ../outside x", IN_X),
                new Pointer("mkdir p; git init -q --separate-git-dir=p/apart x", "rm -rf p; ln -s ../far p", IN_X),
                new Pointer(APART + "mkdir via; echo \"gitdir: $PWD/via/../apart\" > x/.git", VIA, IN_X),
                new Pointer(
                        "mkdir via; t=$PWD; " + LINKED + "echo \"$t/via/../m/.git\" > commondir",
                        VIA,
                        "! git -C w config core.fsmonitor"),
                new Pointer(
                        "mkdir via; t=$PWD; " + LINKED + "echo \"$t/via/../w/.git\" > gitdir", VIA, "test ! -L via"),
                new Pointer("mkdir via; git init -q w; git -C w config core.worktree \"$PWD/via/../w\"", VIA, IN_W),
                new Pointer(
                        "git init -q w; mkdir w/a; echo 'gitdir: ../.git' > w/a/.git; git -C w config core.worktree ../a",
                        "rm -r w/a; ln -s ../../far/w w/a",
                        IN_W),
                new Pointer(
                        "git init -q --bare hub",
                        "rm -rf hub; ln -s ../outside/.git hub",
                        "! git -C hub config core.fsmonitor"),
                new Pointer(
                        "git init -q sub", "rm -rf sub; ln -s ../outside sub", "! git -C sub config core.fsmonitor"));
    }

    /** Those that only the user may make: the guard moves a command's link in their place. */
    private static Stream<Pointer> ofUserAlone() {
        return Stream.of(
                new Pointer(APART + "rm x/.git; ln -s ../apart x/.git", TO_APART, IN_X),
                new Pointer(
                        APART + "ln -s apart way; rm x/.git; ln -s ../way x/.git", "ln -sfn ../outside/.git way", IN_X),
                new Pointer(
                        APART + "ln -s apart way; echo 'gitdir: ../way' > x/.git", "ln -sfn ../outside/.git way", IN_X),
                new Pointer("mkdir x; echo 'gitdir: ../apart' > x/.git", "ln -s ../outside/.git apart", IN_X),
                new Pointer(
                        "git init -q s; git init -q w; ln -s s/.git way; ln -s way first;"
                                + " echo \"$PWD/first/objects\" > w/.git/objects/info/alternates",
                        "ln -sfn ../outside/.git way",
                        "! git -C w cat-file -e $(git --git-dir=../outside/.git rev-parse HEAD)"),
                new Pointer(
                        "git init -q s; git init -q w; echo \"$PWD/s/.git/objects\" > w/.git/objects/info/alternates",
                        "rm -rf s; ln -s ../outside s",
                        "! git -C w cat-file -e $(git --git-dir=../outside/.git rev-parse HEAD)"),
                new Pointer(
                        "mkdir -p deep/sub; echo '[user]' > deep/more; ln -s deep/sub one;"
                                + " git config include.path \"$PWD/one/../more\"",
                        "cp ../far/more deep/more",
                        IN_TREE),
                new Pointer(
                        SEVERAL + "ln -s two one; touch three/more; git config include.path \"$PWD/one/more\"",
                        TO_FAR,
                        IN_TREE),
                new Pointer(SEVERAL + "ln -s two one; git config core.hooksPath one", TO_FAR, NO_HOOK),
                new Pointer(
                        SEVERAL + "ln -s two .vscode; echo good > three/tasks.json",
                        TO_FAR,
                        "grep good .vscode/tasks.json"),
                new Pointer(
                        SEVERAL + "printf '#!/bin/sh\\n' > three/pre-commit; chmod +x three/pre-commit;"
                                + " ln -s ../../two/pre-commit .git/hooks/pre-commit",
                        TO_FAR,
                        NO_HOOK),
                new Pointer(
                        "mkdir infos; rm -rf .git/info; ln -s ../infos .git/info",
                        "rm -r infos; ln -s ../far infos",
                        "test ! -L infos"));
    }

    static Stream<Pointer> all() {
        return Stream.concat(ofCommands(), ofUserAlone());
    }

    @BeforeAll
    static void createRepositoriesOutside() throws Exception {
        shell(
                others,
                "git init -q outside; git -C outside commit -q --allow-empty -m secret;"
                        + " git -C outside config core.fsmonitor evil; mkdir -p far/sub far/w far/m;"
                        + " cp -r outside/.git far/apart; cp -r outside/.git far/m;"
                        + " printf '[core]\\n\\tfsmonitor = evil\\n' > far/more; echo evil > far/tasks.json;"
                        + " printf '#!/bin/sh\\ntouch ran\\n' > far/pre-commit; chmod +x far/pre-commit");
    }

    @BeforeEach
    void copyRepositoriesOutside() throws Exception {
        shell(directory, "cp -a " + others + "/* .");
    }

    @ParameterizedTest
    @MethodSource("ofCommands")
    void ofCommandsLeadNowhereElse(Pointer pointer) throws Exception {
        assertThat(command(pointer.made())).noneMatch(notice -> notice.contains("moved to"));

        assertThat(command(pointer.exchanged())).isNotEmpty();

        shell(worktree, pointer.check());
        assertThat(command("true")).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("all")
    void ofUserLeadNowhereElse(Pointer pointer) throws Exception {
        shell(worktree, pointer.made());
        refresh();
        assertThat(command("true")).isEmpty();

        assertThat(command(pointer.exchanged())).isNotEmpty();

        shell(worktree, pointer.check());
        assertThat(command("true")).isEmpty();
    }

    @Tag("full")
    @ParameterizedTest
    @MethodSource("all")
    void withoutGuardTheyLeadElsewhere(Pointer pointer) throws Exception {
        shell(worktree, "(" + pointer.made() + ")\n" + pointer.exchanged());

        shell(worktree, "if (" + pointer.check() + "); then exit 1; fi");
    }

    @Test
    void dotsBehindLinkLeadToNoWorktree() throws Exception {
        List<String> notices = command("git init -q w; mkdir w/c; ln -s c w/a; git -C w config core.worktree ../a/..");

        assertThat(notices).anyMatch(notice -> notice.contains("core.worktree"));
        command("ln -sfn ../../far/w w/a");
        shell(worktree, IN_W);
    }

    @Test
    void killedSessionsLinkIsMovedByNext() throws Exception {
        shell(worktree, APART);
        guard.close();
        abandon(worktree, TO_APART);

        guard = guarding(worktree);

        shell(worktree, IN_X);
        assertThat(command("true")).anyMatch(notice -> notice.contains("apart'"));
    }

    /** The end of the settlement says what the user has to restore, once the link is gone. */
    @Test
    void lostRepositoryOfUserIsReported() throws Exception {
        shell(worktree, APART);
        refresh();

        assertThat(command(TO_APART))
                .anyMatch(notice -> notice.contains("apart'") && notice.contains("leads git elsewhere"))
                .anyMatch(notice -> notice.contains("Not restored: its objects and refs"));
        assertThat(worktree.resolve("apart/config")).content().doesNotContain("evil");
    }

    @Test
    void linksOfUserStay() throws Exception {
        shell(worktree, APART + "ln -s apart way; echo 'gitdir: ../way' > x/.git; ln -s x also");
        refresh();
        assertThat(command("ln -s apart other; ln -s ../outside another")).isEmpty();

        shell(worktree, "mv apart moved; ln -sfn moved way; ln -s moved apart");

        assertThat(command("rm other")).isEmpty();
        assertThat(worktree.resolve("way")).isSymbolicLink();
        assertThat(worktree.resolve("apart")).isSymbolicLink();
        shell(worktree, "git -C x rev-parse --git-dir");
    }

    /** A mount on the directory behind the link would keep commands from their work there. */
    @Test
    void onlyEndOfWayIsMounted() throws Exception {
        shell(worktree, SEVERAL + "mkdir three/settings; ln -s two/settings .vscode");
        refresh();

        assertThat(relative(guard.plan().readOnly())).contains("three/settings").doesNotContain("three", "two");
        assertThat(command("touch two/file")).isEmpty();
        assertThat(command(TO_FAR)).hasSize(1);
    }
}
