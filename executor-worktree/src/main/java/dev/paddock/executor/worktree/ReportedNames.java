package dev.paddock.executor.worktree;

import dev.paddock.executor.path.PathBytes;
import dev.paddock.executor.worktree.files.NameSkeleton;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Lists files that programs obey automatically and that ordinary work changes: commands may change them, and the user
 * should know.
 */
final class ReportedNames {
    private static final List<Group> GROUPS = List.of(
            new Group("git takes the addresses and directories of submodules from it", ".gitmodules"),
            new Group("Mercurial takes the addresses of other repositories from it", ".hgsub"),
            new Group("Git LFS takes addresses from it", ".lfsconfig"),
            new Group(
                    "a manager of git hooks runs the programs that it names",
                    ".pre-commit-config.yaml",
                    ".overcommit.yml",
                    ".git-hooks",
                    "lefthook.yml",
                    "lefthook.yaml",
                    "lefthook.toml",
                    "lefthook.json",
                    ".lefthook.yml",
                    ".lefthook.yaml",
                    "lefthook-local.yml",
                    ".lefthook-local.yml",
                    ".lefthook",
                    ".lefthook-local",
                    ".huskyrc",
                    ".huskyrc.json",
                    ".huskyrc.yaml",
                    ".huskyrc.yml",
                    ".huskyrc.js",
                    "husky.config.js"),
            new Group(
                    "coding agents follow it",
                    "AGENTS.md",
                    "AGENT.md",
                    "CLAUDE.md",
                    "CLAUDE.local.md",
                    "GEMINI.md",
                    "QWEN.md",
                    ".cursorrules",
                    ".windsurfrules",
                    ".goosehints",
                    ".roomodes",
                    ".github/copilot-instructions.md",
                    ".github/instructions",
                    ".github/agents"),
            new Group(
                    "it chooses which programs run in this directory",
                    ".tool-versions",
                    "mise.toml",
                    ".mise.toml",
                    "mise.local.toml",
                    ".mise.local.toml",
                    ".mise",
                    ".config/mise.toml",
                    ".config/mise",
                    "rust-toolchain",
                    "rust-toolchain.toml",
                    "flake.nix",
                    "shell.nix",
                    "devenv.nix",
                    "devbox.json"),
            new Group(
                    "a program or an editor that starts in this directory runs it",
                    "startup.m",
                    "profile.do",
                    "autoexec.sas",
                    "rootlogon.C",
                    "ipython_config.py",
                    "jupyter_config.py",
                    "jupyter_notebook_config.py",
                    "jupyter_server_config.py",
                    "jupyter_lab_config.py",
                    ".ycm_extra_conf.py"),
            new Group("Bundler loads the plugins that it names", ".bundle/config", ".bundle/plugin"),
            new Group("GitHub runs the programs in it once it is pushed", ".github/workflows", ".github/actions"),
            new Group(
                    "a service runs the programs in it once it is pushed",
                    ".gitlab-ci.yml",
                    ".gitpod.yml",
                    ".gitea/workflows",
                    ".forgejo/workflows",
                    ".circleci",
                    ".buildkite",
                    ".woodpecker",
                    ".woodpecker.yml",
                    ".travis.yml",
                    ".cirrus.yml",
                    ".drone.yml",
                    ".appveyor.yml",
                    "appveyor.yml",
                    "azure-pipelines.yml",
                    "bitbucket-pipelines.yml",
                    "Jenkinsfile"));

    /**
     * Names with one reason.
     *
     * @param reason a clause
     */
    private record Group(String reason, List<String> names) {
        Group(String reason, String... names) {
            this(reason, List.of(names));
        }
    }

    /** The skeletons of the last parts of the names, a cheap filter for most entries. */
    private static final Set<String> LAST_PARTS = all().stream()
            .map(name -> NameSkeleton.of(name.substring(name.lastIndexOf('/') + 1)))
            .collect(Collectors.toUnmodifiableSet());

    private ReportedNames() {}

    /**
     * Returns whether an entry of this name may have one of the names.
     *
     * @param name its {@linkplain PathBytes bytes}
     */
    static boolean mayBeNamed(String name) {
        return LAST_PARTS.contains(NameSkeleton.ofBytes(name));
    }

    /** Returns whether some file system takes the end of a path for one of the names, in any directory. */
    static boolean isNamed(Path path) {
        Path last = path.getFileName();
        return last != null && mayBeNamed(PathBytes.of(last)) && all().stream().anyMatch(name -> endsWith(path, name));
    }

    private static boolean endsWith(Path path, String name) {
        return NameSkeleton.ofBytes(PathBytes.of(path)).endsWith('/' + NameSkeleton.of(name));
    }

    /** Returns all names: paths from the root of the worktree or of a repository. */
    static Set<String> all() {
        return GROUPS.stream().flatMap(group -> group.names().stream()).collect(Collectors.toUnmodifiableSet());
    }

    /** Returns why a change of a path with one of the names is reported: a clause. */
    static String reason(Path path) {
        return GROUPS.stream()
                .filter(group -> group.names().stream().anyMatch(name -> endsWith(path, name)))
                .map(Group::reason)
                .findFirst()
                .orElse("programs of the host obey it");
    }
}
