package dev.paddock.executor.landlock;

import dev.paddock.executor.landlock.kernel.LandlockRules.Grant;
import dev.paddock.executor.worktree.LinkedGit;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Lists the directories that are granted along with a linked git worktree, so that status, add, commit and log work:
 * its own git directory, and the parts of the common directory that commits write to. The other parts stay read-only:
 * hooks, configuration, other worktrees, the main checkout's HEAD and index. Git creates some lock files next to those,
 * so it cannot pack or delete branches from here.
 */
final class GitGrants {

    private static final List<String> WRITTEN = List.of("objects", "refs", "logs", "reftable", "lfs", "rr-cache");

    private GitGrants() {}

    static List<Grant> of(LinkedGit git) {
        List<Grant> grants = new ArrayList<>();
        Path common = git.commonDirectory();
        if (!common.equals(git.gitDirectory())) {
            grants.add(new Grant(common.toString(), false));
            WRITTEN.forEach(name -> grants.add(new Grant(common.resolve(name).toString(), true)));
        }
        grants.add(new Grant(git.gitDirectory().toString(), true));
        return grants;
    }
}
