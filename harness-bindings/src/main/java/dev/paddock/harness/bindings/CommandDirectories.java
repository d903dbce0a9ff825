package dev.paddock.harness.bindings;

import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.policy.Mount;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.harness.files.access.FileException;
import dev.paddock.harness.files.workspace.Entry;
import dev.paddock.harness.files.workspace.WorkspaceFiles;
import java.util.List;
import java.util.function.Supplier;

/** Translates directories of the workspace to command paths; resolves links and checks containment. */
final class CommandDirectories {
    private final Supplier<WorkspaceFiles> files;
    private final PathMapping worktree;
    private final List<Mount> mounts;

    CommandDirectories(Supplier<WorkspaceFiles> files, PathMapping worktree, List<Mount> mounts) {
        this.files = files;
        this.worktree = worktree;
        this.mounts = mounts;
    }

    String commandSide(String cwd, CommandExecutor executor) {
        Entry found = files.get().stat(cwd.endsWith("/") ? cwd : cwd + "/");
        if (found.kind() != Entry.Kind.DIRECTORY) {
            throw new FileException(
                    FileException.Reason.NOT_A_DIRECTORY, cwd, cwd + " is not a directory. Name one for the command");
        }
        String absolute = found.path().startsWith("/") ? found.path() : "/" + EnvPath.normal(found.path());
        for (Mount mount : mounts) {
            if ((absolute + "/").startsWith(mount.target() + "/")) {
                return absolute;
            }
        }
        String root = executor.worktree().orElse(worktree).commandPath();
        return absolute.equals("/") ? root : root + absolute;
    }
}
