package dev.paddock.journeys;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A worktree whose repository is not a directory {@code .git} in it. Where git does not work at once, one
 * line says what to do, and that works as it is written.
 */
@EnabledOnOs(OS.LINUX)
class RepositoryFormsTest {
    private static final String COMMIT =
            "git checkout -q . && echo two >>file && git commit -qam two && git log" + " --format=%s -1";

    @TempDir
    private Path root;

    private Path project = Path.of("project");
    private Paddock paddock = Paddock.in(project, project);

    @BeforeEach
    void create() throws Exception {
        Programs.require("git");
        Path real = root.toRealPath();
        Path home = Files.createDirectory(real.resolve("home"));
        project = real.resolve("project");
        paddock = Paddock.in(real, home);
        paddock.host("git config --global user.name Ann && git config --global user.email ann@example.org"
                + " && git init -q original && cd original && mkdir part && echo one | tee file >part/file"
                + " && git add . && git commit -qm one");
        paddock = Paddock.in(project, home);
    }

    private void prepare(String script) throws Exception {
        new Paddock(project.resolveSibling(""), paddock.environment()).host(script);
    }

    private String commit(String sandbox, String... options) {
        Paddock.Result result = paddock.script(sandbox, COMMIT, options);
        return result.stdout() + result.stderr();
    }

    /** Returns what a message tells the user to type. */
    private static String after(String words, String message) {
        assertThat(message).contains(words);
        return message.substring(message.indexOf(words) + words.length())
                .lines()
                .findFirst()
                .orElseThrow()
                .replaceFirst(" \\(paddock exec.*", "");
    }

    @ParameterizedTest
    @ValueSource(strings = {"bwrap", "landlock"})
    void linkToGitDirectoryElsewhere(String sandbox) throws Exception {
        prepare("git clone -q original project && mv project/.git elsewhere && ln -s ../elsewhere project/.git");
        paddock.host(after("The user can replace the link: ", commit(sandbox)));
        assertThat(commit(sandbox)).isEqualTo("two\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"bwrap", "landlock"})
    void linkToGitDirectoryInWorktree(String sandbox) throws Exception {
        prepare("git clone -q original project && cd project && mv .git data && ln -s data .git"
                + " && echo data >data/info/exclude");
        String first = commit(sandbox);
        if (!first.equals("two\n")) { // Landlock has no mount that keeps the link
            paddock.host(after("The user can replace the link: ", first));
            assertThat(commit(sandbox)).isEqualTo("two\n");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"bwrap", "landlock"})
    void cloneThatSharesObjects(String sandbox) throws Exception {
        prepare("git clone -q --shared original project");
        String message = commit(sandbox);
        String mount = after("The user can show them with --mount ", message).replaceFirst(",.*", "");
        assertThat(commit(sandbox, "--mount", mount)).isEqualTo("two\n");
        paddock.host(after(", or copy them: ", message));
        assertThat(commit(sandbox)).isEqualTo("two\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"bwrap", "landlock"})
    void partOfRepository(String sandbox) throws Exception {
        prepare("ln -s original/part project");
        String repository = after("all of it with --worktree ", commit(sandbox)).replaceFirst(";.*", "");
        assertThat(commit(sandbox, "--worktree", repository)).isEqualTo("two\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"bwrap", "landlock"})
    void separateGitDirectory(String sandbox) throws Exception {
        prepare("git clone -q --separate-git-dir=elsewhere original project");
        paddock.host(after("mend it there with: ", commit(sandbox)));
        assertThat(commit(sandbox)).isEqualTo("two\n");
    }

    /** The directory above the worktrees of a bare repository, which holds them all. */
    @ParameterizedTest
    @ValueSource(strings = {"bwrap", "landlock"})
    void worktreesBesideTheirBareRepository(String sandbox) throws Exception {
        prepare("mkdir project && cd project && git clone -q --bare ../original .bare && echo 'gitdir: ./.bare' >.git"
                + " && git worktree add -q here 2>&1");
        String hook = ".bare/hooks/post-commit";
        Paddock.Result result = paddock.script(
                sandbox,
                "cd here && " + COMMIT + "; cd .. && { echo exit >" + hook + "; git config core.pager x; git log -1; }"
                        + " >log 2>&1");
        assertThat(result.stdout()).as(result.stderr()).isEqualTo("two\n");
        assertThat(paddock.host("cat log")).contains("Author: Ann");
        assertThat(project.resolve(hook)).as(result.stderr()).doesNotExist();
        assertThat(paddock.host("cat .bare/config")).doesNotContain("pager");

        String planted = "git init -q evil && git -C evil config core.fsmonitor 'touch pwned'";
        paddock.script(sandbox, "(" + planted + "; echo 'gitdir: evil/.git' >new && mv new .git) >log 2>&1");
        paddock.host("git status >log 2>&1; git -C here status >>log");
        assertThat(project.resolve("pwned")).as(paddock.host("cat log")).doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(strings = {"bwrap", "landlock"})
    void bareRepositoryElsewhere(String sandbox) throws Exception {
        prepare("mkdir project && git clone -q --bare original bare && echo 'gitdir: ../bare' >project/.git");
        assertThat(commit(sandbox)).contains("name one of its worktrees").doesNotContain("core.worktree '");
    }

    /** As after a clone without its submodules. */
    @Test
    void submodulesAreRegisteredOutside() throws Exception {
        Path original = project.resolveSibling("original");
        prepare("git init -q above && cd above && git -c protocol.file.allow=always submodule --quiet add " + original
                + " sub && git commit -qm sub && cd .. && git clone -q above project");
        String update = "git -c protocol.file.allow=always submodule --quiet update";
        String[] mount = {"--mount", original + ":" + original};

        Paddock.Result first = paddock.script("bwrap", update + " --init", mount);
        assertThat(first.exitCode()).as(first.stderr()).isNotZero();
        assertThat(first.stderr()).contains("run git submodule init outside of the sandbox");
        paddock.host("git submodule init");
        assertThat(paddock.script("bwrap", update + " && cat sub/file", mount).stdout())
                .as("as the hint says")
                .isEqualTo("one\n");
    }

    /** As in a clone with its submodules, of which the commits on the way need different versions. */
    @ParameterizedTest
    @ValueSource(strings = {"bwrap", "landlock", "docker"})
    void submodulesAreUpdated(String sandbox) throws Exception {
        cloneWithSubmodule();
        String[] options = sandbox.equals("docker") ? new String[] {"--image", Engine.DEBIAN} : new String[0];
        if (sandbox.equals("docker")) {
            Engine.requireDebian();
        }
        String update = "git submodule --quiet update --init --recursive && git -C sub log --format=%s -1";
        Paddock.Result result = paddock.script(
                sandbox,
                update + " && git checkout -q HEAD~1 && " + update + " && git checkout -q - && " + update,
                options);
        assertThat(result.stdout()).as(result.stderr()).isEqualTo("two\none\ntwo\n");
        assertThat(result.stderr()).doesNotContain("paddock: ");
        assertThat(paddock.host("git status --porcelain && git config -f .git/modules/sub/config core.worktree"))
                .isEqualTo("../../../sub\n");

        paddock.script(sandbox, "git -C sub config core.fsmonitor x; git -C sub status", options);
        assertThat(paddock.host("cat .git/modules/sub/config")).doesNotContain("fsmonitor");
    }

    @Test
    void submoduleWithoutFilesIsCheckedOutOutside() throws Exception {
        cloneWithSubmodule();
        paddock.host("git submodule --quiet deinit -f sub && git submodule --quiet init");
        Paddock.Result first = paddock.script("bwrap", "git submodule update"); // which may exit with 0
        assertThat(first.stderr()).contains("do this outside of the sandbox; git submodule update then works here");
        paddock.host("git submodule --quiet update --force");
        assertThat(paddock.script("bwrap", "git submodule update --force -q && cat sub/file")
                        .stdout())
                .as("as the hint says")
                .isEqualTo("one\ntwo\n");
    }

    private void cloneWithSubmodule() throws Exception {
        String quiet = "git -c protocol.file.allow=always ";
        prepare("git init -q above && cd above && " + quiet
                + "submodule --quiet add ../original sub && git commit -qm sub"
                + " && cd ../original && echo two >>file && git commit -qam two && cd ../above && " + quiet
                + "-C sub pull -q && git commit -qam newer && cd .. && " + quiet
                + "clone -q --recurse-submodules above project");
    }
}
