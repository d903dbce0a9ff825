package dev.paddock.executor.worktree;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Tests what sandboxes mount in place of submodules' configurations, which git reads. */
class ShownConfigurationsTest extends GuardedWorktree {
    private static final String ADD =
            "git clone -q . ../origin; git -c protocol.file.allow=always submodule --quiet add ../origin sub;";

    private Path configuration() {
        return worktree.resolve(".git/modules/sub/config");
    }

    private Path shown() {
        return guard.plan().source(configuration());
    }

    @Test
    void worktreeOfSubmoduleIsLeftOut() throws Exception {
        shell(worktree, ADD);
        refresh();
        shell(worktree, "git config -f .git/modules/sub/config core.worktree");

        assertThat(guard.plan().readOnly()).contains(configuration());
        Path shown = shown();
        assertThat(shown).isNotEqualTo(configuration());
        String list = "git config --list -f '%s' | grep -v ^core.worktree= >'%s'";
        shell(worktree, list.formatted(configuration(), "../expected"));
        shell(worktree, list.formatted(shown, "../shown") + "; ! git config -f '" + shown + "' core.worktree");
        assertThat(directory.resolve("shown")).hasSameTextualContentAs(directory.resolve("expected"));
        assertThat(Files.getPosixFilePermissions(shown)).hasSize(3);

        assertThat(shown()).as("as long as the file is unchanged").isEqualTo(shown);
        ProtectionPlan before = guard.plan();
        shell(worktree, "git -C sub config user.name other");
        assertThat(guard.plan()).isNotEqualTo(before);
        assertThat(shown()).content().contains("other").doesNotContain("worktree");
        assertThat(guard.plan().withoutShown().source(configuration())).isEqualTo(configuration());
    }

    /** Git would take another directory for the worktree. */
    @Test
    void worktreeSettingIsKeptWhereItDecides() throws Exception {
        shell(
                worktree,
                ADD + "mv sub elsewhere; git config -f .git/modules/sub/config core.worktree ../../../elsewhere;"
                        + " printf 'gitdir: ../.git' >elsewhere/.git");
        refresh();
        assertThat(shown()).isEqualTo(configuration());

        shell(worktree, "rm -r elsewhere");
        refresh();
        assertThat(shown()).isEqualTo(configuration());
    }

    @Test
    void linkInPlaceOfConfigurationIsNotFollowed() throws Exception {
        shell(worktree, ADD + "cp .git/modules/sub/config copy; ln -sf ../../../copy .git/modules/sub/config");
        refresh();
        assertThat(guard.plan().source(worktree.resolve("copy"))).isEqualTo(worktree.resolve("copy"));
        assertThat(shown()).isEqualTo(configuration());
    }
}
