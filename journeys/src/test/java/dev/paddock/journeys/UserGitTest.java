package dev.paddock.journeys;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Git in a sandbox works as the user has set it up. */
@EnabledOnOs(OS.LINUX)
class UserGitTest {
    @TempDir
    private Path root;

    private Path home = Path.of("home");
    private Path project = Path.of("project");
    private Paddock paddock = Paddock.in(project, home);

    @BeforeEach
    void create() throws Exception {
        Programs.require("git");
        Path real = root.toRealPath();
        home = Files.createDirectory(real.resolve("home"));
        project = Files.createDirectory(real.resolve("project"));
        // The machine's own configuration may have the filter of Git LFS.
        paddock = Paddock.in(project, home).env("GIT_CONFIG_NOSYSTEM", "1");
        paddock.host(
                "git config --global user.name A && git config --global user.email a@example.org && git init -q .");
    }

    @ParameterizedTest
    @ValueSource(strings = {"bwrap", "landlock"})
    void commitOfFileOfGitLfsHasItsPointer(String sandbox) throws Exception {
        Programs.require("git-lfs");
        paddock.host("git lfs install && git lfs track '*.bin' && echo one >a.bin && git add . && git commit -qm one");
        Paddock.Result result = paddock.script(
                sandbox,
                "echo two >a.bin && git commit -qam two && git cat-file -p HEAD:a.bin | head -n 1 && rm a.bin &&"
                        + " git checkout -q . && cat a.bin");
        assertThat(result.stderr()).isEmpty();
        assertThat(result.stdout()).isEqualTo("version https://git-lfs.github.com/spec/v1\ntwo\n");
    }

    /** Without a word, the unfiltered content would be committed. */
    @ParameterizedTest
    @ValueSource(strings = {"bwrap", "landlock"})
    void filterThatIsNotPassedFailsAloud(String sandbox) throws Exception {
        paddock.host("git config --global filter.strip.clean 'touch ran; sed s/secret//'"
                + " && git config --global filter.strip.required true"
                + " && git config --global filter.mild.clean 'touch ran; sed s/secret//'"
                + " && echo '*.must filter=strip' >.gitattributes && echo '*.may filter=mild' >>.gitattributes");
        Paddock.Result result = paddock.script(
                sandbox,
                "echo secret >a.must; echo secret >b.may; git add b.may; git add a.must; git ls-files; ls ran");
        assertThat(result.stdout()).isEqualTo("b.may\n");
        assertThat(result.stderr())
                .contains("your filter 'strip' does not run in the sandbox", "your filter 'mild' does not run");
        paddock.host("git add a.must && git cat-file -p :a.must | grep -v secret");
    }

    @ParameterizedTest
    @ValueSource(strings = {"bwrap", "landlock"})
    void ignoredFilesLineEndsAndDefaultsAreUsers(String sandbox) throws Exception {
        Files.writeString(home.resolve("own.ignore"), "*.own\n");
        Files.createDirectories(home.resolve(".config/git"));
        Files.writeString(home.resolve(".config/git/attributes"), "*.txt text\n");
        paddock.host("git config --global core.excludesFile '~/own.ignore' && git config --global core.autocrlf input"
                + " && git config --global init.defaultBranch trunk && git config --global core.pager 'touch paged'");
        String script = "touch a.own && printf 'a\\r\\n' >a.txt && git add a.txt 2>/dev/null && git status --short"
                + " && git cat-file -s :a.txt && git init -q sub && git -C sub branch --show-current";
        Paddock.Result result = paddock.script(sandbox, script + "; git config core.pager || echo none");
        assertThat(result.stdout()).isEqualTo("A  a.txt\n2\ntrunk\nnone\n");
        paddock.host("rm -rf sub a.txt .git/index");
        assertThat(paddock.host(script)).as("as on the host").isEqualTo("A  a.txt\n2\ntrunk\n");
    }

    /** Without a setting, git reads a file of the user's. */
    @ParameterizedTest
    @ValueSource(strings = {"bwrap", "landlock"})
    void usersIgnoreFileNeedsNoSetting(String sandbox) throws Exception {
        Files.createDirectories(home.resolve(".config/git"));
        Files.writeString(home.resolve(".config/git/ignore"), "*.own\n");
        assertThat(paddock.script(sandbox, "touch a.own b.txt; git status --short")
                        .stdout())
                .isEqualTo("?? b.txt\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"bwrap", "landlock"})
    void commitThatWouldHaveBeenSignedSaysSo(String sandbox) throws Exception {
        String script = "git commit --allow-empty -m one";
        assertThat(paddock.script(sandbox, script).stderr()).isEmpty();
        paddock.host("git config --global commit.gpgSign true");
        Paddock.Result unsigned = paddock.script(sandbox, script);
        assertThat(unsigned.exitCode()).isZero();
        assertThat(unsigned.stderr()).contains("git settings sign commits", "git commit --amend --no-edit -S");

        paddock.host("git config commit.gpgSign true && git config gpg.program no-such-program");
        Paddock.Result refused = paddock.script(sandbox, script);
        assertThat(refused.exitCode()).isNotZero();
        assertThat(refused.stderr()).contains("commands have no keys: commit with git commit --no-gpg-sign");
        assertThat(paddock.script(sandbox, script + " --no-gpg-sign").exitCode())
                .as("as the hint says")
                .isZero();
    }
}
