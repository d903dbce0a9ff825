package dev.paddock.executor.worktree;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Tests a command that makes a repository of a directory with files under protected names: the
 * user's stay, and those that commands have created are moved.
 */
class OwnEntriesTest extends GuardedWorktree {
    private Path settings;

    @BeforeEach
    void createSettings() throws Exception {
        settings = Files.createDirectories(worktree.resolve("plain/.vscode")).resolve("settings.json");
        Files.writeString(settings, "mine");
        refresh();
    }

    @Test
    void usersSettingsStay() throws Exception {
        List<String> notices = command("git init -q plain");

        assertThat(settings).hasContent("mine");
        assertThat(quarantine).doesNotExist();
        assertThat(notices).singleElement().asString().contains(".vscode", "stays", "review it");
        assertThat(command("true")).isEmpty();
    }

    @Test
    void settingsThatUserCreatesBetweenCommandsStay() throws Exception {
        command("mkdir later");
        Files.writeString(worktree.resolve("later/.envrc"), "mine");
        Files.createDirectories(worktree.resolve("deep/er/.idea"));

        command("git init -q later; git init -q deep/er");

        assertThat(worktree.resolve("later/.envrc")).hasContent("mine");
        assertThat(worktree.resolve("deep/er/.idea")).exists();
    }

    @Test
    void settingsInDirectoryThatCommandHasRenamedStay() throws Exception {
        command("mv plain renamed");
        command("git init -q renamed");

        assertThat(worktree.resolve("renamed/.vscode/settings.json")).hasContent("mine");
    }

    @Test
    void settingsThatEarlierCommandHasCreatedAreMoved() throws Exception {
        command("mkdir nest; echo evil > nest/.envrc; echo evil > plain/.envrc");

        assertThat(command("git init -q nest; git init -q plain"))
                .filteredOn(notice -> notice.contains("moved"))
                .hasSize(2);

        assertThat(worktree.resolve("nest/.envrc")).doesNotExist();
        assertThat(worktree.resolve("plain/.envrc")).doesNotExist();
        assertThat(settings).hasContent("mine");
    }

    @Test
    void settingsThatCommandHasCreatedAfterRemovingUsersAreMoved() throws Exception {
        command("rm -r plain/.vscode");
        command("mkdir plain/.vscode; echo evil > plain/.vscode/settings.json; git init -q plain");

        assertThat(settings).doesNotExist();
    }

    @Test
    void usersSettingsStayWhenSessionIsKilled() throws Exception {
        guard.close();
        waitForTick(settings);
        try (KilledSession session = KilledSession.start(directory, worktree)) {
            session.ask("begin");
            session.ask("run git init -q plain; git init -q nest; echo evil > nest/.envrc");
            session.awaitBeat();
        }

        guard = guarding(worktree);

        assertThat(settings).hasContent("mine");
        assertThat(worktree.resolve("nest/.envrc")).doesNotExist();
    }

    @Test
    void nameThatIsNoPathHereKeepsNoGuardFromOpening() {
        OwnEntries entries = new OwnEntries(Set.of("a/no\0path", "hooks/", "/", ""));

        assertThat(entries.isNamed(Path.of("hooks"))).isTrue();
        assertThat(entries.isNamed(Path.of("a"))).isFalse();
    }
}
