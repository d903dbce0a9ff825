package dev.paddock.executor.worktree.git;

import static dev.paddock.executor.worktree.git.GitReferee.shell;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests which files of a worktree the user's own configuration makes git run or read. */
class UserConfigurationTest {
    @TempDir
    Path directory;

    private Path home;
    private Path root;

    @BeforeEach
    void createRepository() throws Exception {
        directory = directory.toRealPath();
        home = Files.createDirectory(directory.resolve("home"));
        root = Files.createDirectory(directory.resolve("root"));
        shell(root, "git init -q . && git init -q sub && mkdir tools && echo x > tools/run.sh && echo x > clean.py");
    }

    private UserConfiguration read() throws Exception {
        Territory territory = GitReferee.territory(root);
        return UserConfiguration.read(
                territory,
                Map.of("HOME", home.toString(), "GIT_CONFIG_SYSTEM", "/dev/null"),
                new RepositoryFinder(territory).below(root).repositories());
    }

    private UserConfiguration again(UserConfiguration before) throws Exception {
        return before.again(
                Map.of("HOME", home.toString(), "GIT_CONFIG_SYSTEM", "/dev/null"),
                new RepositoryFinder(GitReferee.territory(root)).below(root).repositories());
    }

    private List<String> targets() throws Exception {
        return read().targets().stream()
                .map(path -> root.relativize(path).toString())
                .filter(path -> !path.endsWith(".git/config") && !path.endsWith("config.worktree"))
                .toList();
    }

    @Test
    void hooksOfRepositorysOwnConfiguration() throws Exception {
        shell(root, "git config core.hooksPath .husky");

        assertThat(targets()).containsExactly(".husky");
        assertThat(read().targetsIn(root.resolve("new"))).isEmpty();
    }

    @Test
    void isKeptUntilSettingOrRepositoryAppears() throws Exception {
        UserConfiguration before = read();
        assertThat(again(before)).isSameAs(before);

        shell(root, "git -C sub config filter.x.clean cat");
        UserConfiguration changed = again(before);
        assertThat(changed.drivers()).containsExactly("filter=x");

        shell(root, "git -C sub config --unset filter.x.clean && git init -q third");
        assertThat(again(changed).targets()).contains(root.resolve("third/.git/config"));
    }

    @Test
    void filesThatWordsNameCountOnceTheyExist() throws Exception {
        shell(root, "git config alias.x '!sh later.sh'");
        UserConfiguration before = read();
        assertThat(before.targets()).doesNotContain(root.resolve("later.sh"));

        shell(root, "echo x > later.sh");
        assertThat(again(before).targets()).contains(root.resolve("later.sh"));
    }

    @Test
    void relativePathsOfUsersConfigurationApplyInEveryRepository() throws Exception {
        Files.writeString(
                home.resolve(".gitconfig"), "[core]\n\thooksPath = .hooks\n\tattributesFile = " + root + "/attrs\n");

        assertThat(targets()).containsExactly(".hooks", "attrs", "sub/.hooks");
        assertThat(read().targetsIn(root.resolve("new"))).containsExactly(root.resolve("new/.hooks"));
    }

    @Test
    void includedFilesWhateverTheirCondition() throws Exception {
        Files.createDirectories(home.resolve(".config/git"));
        Files.writeString(
                home.resolve(".config/git/config"),
                "[include]\n\tpath = ~/more\n[includeIf \"onbranch:other\"]\n\tpath = " + root + "/absent\n");
        Files.writeString(home.resolve("more"), "[include]\npath = ../root/team.config\n");
        Files.writeString(
                root.resolve("team.config"), "[core]\nhooksPath = team-hooks\n[include]\npath = team.config\n");

        assertThat(targets()).containsExactly("absent", "sub/team-hooks", "team-hooks", "team.config");
    }

    @Test
    void commandsNameFilesOfTheirWords() throws Exception {
        shell(
                root,
                "git config filter.x.clean 'python3 clean.py %f'; git config alias.go '!tools/run.sh src'; mkdir src;"
                        + " git config core.fsmonitor tools/absent; git config core.pager less; git config alias.st 'status -s'");

        assertThat(targets()).containsExactly("clean.py", "tools/absent", "tools/run.sh");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "core.alternateRefsCommand",
                "core.askPass",
                "core.editor",
                "core.fsmonitor",
                "core.gitProxy",
                "core.pager",
                "core.sshCommand",
                "alias.x",
                "alias.x.command",
                "browser.x.cmd",
                "browser.x.path",
                "credential.helper",
                "credential.https://example.org.helper",
                "diff.external",
                "diff.x.command",
                "diff.x.textconv",
                "difftool.x.cmd",
                "difftool.x.path",
                "filter.x.clean",
                "filter.x.process",
                "filter.x.smudge",
                "gc.recentObjectsHook",
                "gpg.program",
                "gpg.ssh.defaultKeyCommand",
                "gpg.ssh.program",
                "gpg.x509.program",
                "guitool.x.cmd",
                "hook.x.command",
                "imap.tunnel",
                "instaweb.httpd",
                "interactive.diffFilter",
                "lfs.customtransfer.x.path",
                "lfs.extension.x.clean",
                "lfs.extension.x.smudge",
                "man.x.cmd",
                "merge.x.driver",
                "mergetool.x.cmd",
                "pager.log",
                "remote.x.receivepack",
                "remote.x.uploadpack",
                "sendemail.smtpServer",
                "sendemail.x.toCmd",
                "sequence.editor",
                "submodule.x.update",
                "tar.x.command",
                "trailer.x.cmd",
                "trailer.x.command",
                "uploadpack.packObjectsHook"
            })
    void everySettingThatNamesAProgram(String name) throws Exception {
        shell(root, "git config '" + name + "' '!tools/run.sh'");

        assertThat(targets()).containsExactly("tools/run.sh");
    }

    @ParameterizedTest
    @ValueSource(strings = {"svn.authorsProg", "tig.bind.generic", "annex.web-download-command", "core.later", "x.y.z"})
    void settingsThatAreNotKnownNameTheirFiles(String name) throws Exception {
        shell(root, "git config '" + name + "' '!python3 ./clean.py --log=tools/absent --with=tools/run.sh absent.py'");

        assertThat(targets()).containsExactly("clean.py", "tools/run.sh");
    }

    @Test
    void filesThatOrdinaryWorkChangesAreNoTargets() throws Exception {
        shell(
                root,
                "git config commit.template clean.py; git config blame.ignoreRevsFile clean.py;"
                        + " git config branch.main.description 'see clean.py'; git config remote.o.url ./clean.py;"
                        + " git config init.defaultBranch tools; git config core.excludesFile clean.py");

        assertThat(targets()).isEmpty();
    }

    @Test
    void programsOfUsersConfigurationAreTargetsInNewRepositories() throws Exception {
        Files.writeString(
                home.resolve(".gitconfig"),
                "[alias]\n\tgo = !tools/go src\n\tst = status -s\n[core]\n\tpager = /usr/bin/less\n");

        assertThat(read().targetsIn(root.resolve("new"))).containsExactly(root.resolve("new/tools/go"));
    }

    @Test
    void linkedConfigurationInWorktreeIsTarget() throws Exception {
        Files.writeString(root.resolve("dot.gitconfig"), "[user]\nname = x\n");
        Files.createSymbolicLink(home.resolve(".gitconfig"), root.resolve("dot.gitconfig"));

        assertThat(targets()).containsExactly("dot.gitconfig");
    }

    @Test
    void attributesThatNameUsersDrivers() throws Exception {
        Files.writeString(
                home.resolve(".gitconfig"), "[filter \"lfs\"]\nclean = git-lfs clean\n[merge \"m\"]\ndriver = m %A\n");
        Path attributes = Files.writeString(
                root.resolve(".gitattributes"), "*.bin filter=lfs diff=lfs -text\n*.x\tmerge=m\n*.y filter=other\n");

        assertThat(read().driversNamedBy(attributes)).containsExactlyInAnyOrder("filter=lfs", "merge=m");
        assertThat(read().driversNamedBy(root.resolve("absent"))).isEmpty();
    }
}
