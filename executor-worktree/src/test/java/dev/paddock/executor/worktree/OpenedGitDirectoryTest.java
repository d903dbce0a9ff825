package dev.paddock.executor.worktree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests what follows when a command lets other users of the machine write where git's programs lie. */
class OpenedGitDirectoryTest extends GuardedWorktree {
    private String mode(String path) throws Exception {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(worktree.resolve(path)));
    }

    @ParameterizedTest
    @CsvSource({".git, 777", ".git, 775", ".git, 1777", ".git/hooks, 777", ".git/info, o+w", ".git/objects/pack, g+w"})
    void othersLosePermissionToWriteThatCommandGaveThem(String path, String mode) throws Exception {
        List<String> notices = command("chmod " + mode + " " + path);

        assertThat(mode(path)).isEqualTo("rwxr-xr-x");
        assertThat(notices)
                .singleElement()
                .asString()
                .contains("other users", worktree.resolve(".git").toString());
        assertThat(command("true")).isEmpty();
    }

    /** Git's objects are not listed after a command; the modes of their directories are read all the same. */
    @ParameterizedTest
    @ValueSource(strings = {".git/objects/pack", ".git/objects/ab"})
    void directoriesOfObjectsAreClosedAgainWhenNothingElseHasChanged(String path) throws Exception {
        shell(worktree, "mkdir -p " + path);
        for (String file : List.of("HEAD", "config", "index")) {
            waitForTick(worktree.resolve(".git").resolve(file));
        }
        refresh();
        assertThat(command("true")).isEmpty();

        assertThat(command("chmod o+w " + path)).hasSize(1);

        assertThat(mode(path)).isEqualTo("rwxr-xr-x");
    }

    @Test
    void permissionThatUserHasGivenStays() throws Exception {
        shell(worktree, "git config core.sharedRepository group; chmod -R g+ws .git; chmod o+w .git/info");
        refresh();

        assertThat(command("echo b > b; git add b; git commit -qm second")).isEmpty();

        assertThat(mode(".git")).isEqualTo("rwxrwxr-x");
        assertThat(mode(".git/info")).isEqualTo("rwxrwxrwx");
    }

    @Test
    void setGroupIdBitOfDirectoryStays() throws Exception {
        shell(worktree, "chmod -R g+ws .git");
        refresh();

        assertThat(command("chmod o+w .git")).isNotEmpty();

        assertThat((int) Files.getAttribute(worktree.resolve(".git"), "unix:mode") & 07777)
                .isEqualTo(02775);
    }

    @ParameterizedTest
    @ValueSource(strings = {".git", ".git/hooks", ".git/refs/heads"})
    void directoryOfUsersGroupIsClosedOnceItIsAnotherGroups(String path) throws Exception {
        assumeRoot();
        shell(worktree, "chmod -R g+w .git");
        refresh();

        assertThat(command("chgrp 12345 " + path + "; chmod g+s " + path))
                .singleElement()
                .asString()
                .contains("other users");
        assertThat(mode(path)).isEqualTo("rwxr-xr-x");
        assertThat(command("true")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {".git/config", ".git/hooks/pre-commit", ".envrc", ".vscode"})
    void fileThatUsersGroupMayWriteBecomesNoOtherGroups(String path) throws Exception {
        assumeRoot();
        shell(
                worktree,
                "touch .git/hooks/pre-commit .envrc; mkdir .vscode; touch .vscode/x; chmod -R g+w .git .envrc .vscode");
        Object group = Files.getAttribute(worktree.resolve(path), "unix:gid");

        assertThat(command("chgrp 12345 " + path)).singleElement().asString().contains(path);

        assertThat(Files.getAttribute(worktree.resolve(path), "unix:gid")).isEqualTo(group);
        assertThat(command("true")).isEmpty();
    }

    /** As in a directory with the set-group-id bit. */
    @Test
    void filesOfGroupThatUserHasChosenStay() throws Exception {
        assumeRoot();
        shell(
                worktree,
                "touch .envrc; chgrp -R 12345 .git .envrc; chmod -R g+w .git .envrc;"
                        + " find .git -type d -exec chmod g+s {} +");

        assertThat(command("umask 002; echo b > b; git add b; git commit -qm second; git branch d/e"))
                .isEmpty();
        assertThat(Files.getAttribute(worktree.resolve(".git/refs/heads/d"), "unix:gid"))
                .isEqualTo(12_345);

        assertThat(command("umask 002; git config a.b c; echo evil > .envrc")).hasSize(2);
        assertThat(Files.getAttribute(worktree.resolve(".git/config"), "unix:gid"))
                .isEqualTo(12_345);
        assertThat(command("true")).isEmpty();
    }

    private static void assumeRoot() {
        assumeTrue("root".equals(System.getProperty("user.name")), "only root gives files to any group");
    }

    @Test
    void repositoryThatCommandCreatesIsItsGroupsAtMost() throws Exception {
        assertThat(command("umask 002; git init -q grouped")).isEmpty();
        assertThat(command("umask 0; git init -q open"))
                .singleElement()
                .asString()
                .contains("open/.git");

        assertThat(mode("grouped/.git/hooks")).isEqualTo("rwxrwxr-x");
        for (Path path : List.of(Path.of("open/.git"), Path.of("open/.git/hooks"), Path.of("open/.git/refs/heads"))) {
            assertThat(mode(path.toString())).isEqualTo("rwxrwxr-x");
        }
        assertThat(command("chmod o+w open/.git")).hasSize(1);
    }
}
