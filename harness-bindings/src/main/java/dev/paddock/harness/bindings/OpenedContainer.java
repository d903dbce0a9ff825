package dev.paddock.harness.bindings;

import dev.paddock.executor.policy.Mount;
import dev.paddock.executor.policy.ProtectedPaths;
import dev.paddock.harness.files.access.AccessRules;
import dev.paddock.harness.files.access.FileException;
import dev.paddock.harness.files.access.FileRoot;
import dev.paddock.harness.files.workspace.WorkspaceFiles;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Predicate;

/**
 * The open resources of a container, from its start to its end.
 *
 * @param root the directory that guests work in, the copy if there is one
 * @param mounts the mounts, of copies if there are some
 * @param files the files of all roots, by the rules for guests
 * @param unruled the files of the root alone, without rules on what may be read
 * @param variables the variables
 * @param hidden globs of the files whose content no guest and no command reads
 */
record OpenedContainer(
        Path root,
        List<Mount> mounts,
        WorkspaceFiles files,
        WorkspaceFiles unruled,
        Variables variables,
        List<String> hidden) {
    private static final List<String> ENV_FILES = List.of(".env", ".env.*");

    OpenedContainer {
        mounts = List.copyOf(mounts);
        hidden = List.copyOf(hidden);
    }

    /**
     * Opens a container.
     *
     * @param owned receives the resources to close, even if this fails
     * @param alsoKept the paths that commands may not change although no protected name covers them
     */
    static OpenedContainer open(ContainerOptions options, Deque<AutoCloseable> owned, Predicate<Path> alsoKept) {
        Path root = options.root();
        List<Mount> mounts = options.mounts();
        if (options.mode() == AgentContainer.Mode.SHADOW) {
            ShadowCopy copy = ShadowCopy.of(root);
            owned.push(copy);
            root = copy.root();
            mounts = copy.mounts(mounts);
        }
        FileRoot first = new FileRoot("/", root, Mount.Access.READ_WRITE);
        WorkspaceFiles unruled = WorkspaceFiles.open(List.of(first), AccessRules.standard());
        owned.push(unruled);
        Variables variables = Variables.read(options.env().orElse(EnvOptions.standard()), unruled, HostVariables.all());
        List<String> hidden = hidden(options, variables, unruled);
        List<FileRoot> roots = new ArrayList<>();
        roots.add(first);
        mounts.forEach(mount -> roots.add(FileRoot.of(mount)));
        WorkspaceFiles files = WorkspaceFiles.open(
                roots, AccessRules.of(ProtectedPaths.standard(), hidden).alsoKeeping(alsoKept));
        owned.push(files);
        return new OpenedContainer(root, mounts, files, unruled, variables, hidden);
    }

    /** Hides a dotenv file by its name and by its link target's name. */
    private static List<String> hidden(ContainerOptions options, Variables variables, WorkspaceFiles unruled) {
        List<String> globs = new ArrayList<>(ENV_FILES);
        globs.addAll(options.denyRead());
        for (String source : variables.files()) {
            globs.add(EnvPath.glob(source));
            try {
                globs.add(EnvPath.glob(unruled.resolved(EnvPath.normal(source))));
            } catch (FileException absent) {
                // An optional file: its name is hidden in case it appears later.
            }
        }
        return globs;
    }
}
