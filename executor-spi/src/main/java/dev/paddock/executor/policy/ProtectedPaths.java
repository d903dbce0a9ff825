package dev.paddock.executor.policy;

import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Paths of the worktree, and of every repository nested in it, that a command must not change,
 * because a program on the host would later run or obey their content: hooks, git's configuration,
 * editors' and agents' settings, shell start-up files. The names are relative to the root of the worktree or
 * of a repository; {@link #covers} ignores that, and covers the names in every directory.
 *
 * @since 0.1
 */
public final class ProtectedPaths {

    /**
     * The rule: a program that is started in a directory for anything but to build, test or run its
     * content obeys the file without being asked, and ordinary work does not change the file.
     */
    private static final ProtectedPaths DEFAULT = new ProtectedPaths(
            new LinkedHashSet<>(List.of(
                    // Git, and what it runs
                    ".git/hooks",
                    ".git/config",
                    ".gitconfig",
                    ".config/git",
                    ".husky",
                    // Other version control
                    ".hg/hgrc",
                    ".hg/hgrc-not-shared",
                    ".hg/sharedpath",
                    ".jj/repo/config.toml",
                    ".jj/workspace-config.toml",
                    ".sl/config",
                    ".sl/sharedpath",
                    ".pijul/config",
                    "_darcs/prefs/defaults",
                    ".bzr/branch/branch.conf",
                    ".p4config",
                    // Editors and file managers
                    ".vscode",
                    ".idea",
                    ".fleet",
                    ".zed",
                    ".helix",
                    ".nova",
                    ".theia",
                    ".devcontainer",
                    ".devcontainer.json",
                    ".kateproject",
                    ".kdev4",
                    ".lapce",
                    ".tm_properties",
                    ".exrc",
                    ".vim",
                    ".vimrc",
                    ".vilerc",
                    ".nvimrc",
                    ".nvim.lua",
                    ".lvimrc",
                    ".local.vimrc",
                    ".lazy.lua",
                    ".neoconf.json",
                    ".dir-locals.el",
                    ".dir-locals-2.el",
                    ".externalToolBuilders",
                    ".mc.menu",
                    // Coding agents
                    ".mcp.json",
                    ".claude",
                    ".cursor",
                    ".codex",
                    ".gemini",
                    ".qwen",
                    ".windsurf",
                    ".continue",
                    ".aider.conf.yml",
                    ".clinerules",
                    ".roo",
                    ".kilocode",
                    ".kiro",
                    ".amazonq",
                    ".opencode",
                    "opencode.json",
                    "opencode.jsonc",
                    ".crush.json",
                    "crush.json",
                    ".junie",
                    ".trae",
                    ".augment",
                    ".factory",
                    ".vibe",
                    ".agents",
                    ".github/hooks",
                    "paddock.yaml",
                    // Shells, and what changes the environment on the way into a directory
                    ".profile",
                    ".bashrc",
                    ".bash_profile",
                    ".bash_login",
                    ".bash_logout",
                    ".bash_aliases",
                    ".zshenv",
                    ".zshrc",
                    ".zprofile",
                    ".zlogin",
                    ".zlogout",
                    ".kshrc",
                    ".mkshrc",
                    ".cshrc",
                    ".tcshrc",
                    ".login",
                    ".logout",
                    ".inputrc",
                    ".config/fish",
                    ".envrc",
                    ".autoenv.zsh",
                    ".autoenv_leave.zsh",
                    ".autoenv",
                    ".autoenv.leave",
                    ".env.leave",
                    ".shadowenv.d",
                    ".rvmrc",
                    // Interpreters and debuggers
                    ".Rprofile",
                    ".Renviron",
                    ".RData",
                    ".irbrc",
                    "irb.rc",
                    "_irbrc",
                    "$irbrc",
                    ".config/irb",
                    ".pryrc",
                    ".byebugrc",
                    ".perldb",
                    ".psysh.php",
                    ".phpdbginit",
                    ".pdbrc",
                    ".ghci",
                    ".ocamlinit",
                    ".iex.exs",
                    ".erlang",
                    ".gambini",
                    ".gambini.scm",
                    ".octaverc",
                    ".scilab",
                    "scilab.ini",
                    ".singularrc",
                    ".rootrc",
                    ".jdbrc",
                    "jdb.ini",
                    ".dbxrc",
                    ".gdbinit",
                    ".lldbinit",
                    // Package managers
                    ".npmrc",
                    ".yarnrc",
                    ".yarnrc.yml",
                    ".yarn/releases",
                    ".yarn/plugins",
                    ".pnpmfile.cjs",
                    ".pnpmfile.mjs",
                    ".cargo/config",
                    ".cargo/config.toml",
                    // Keys
                    ".ssh",
                    ".gnupg")),
            Enforcement.BEST_EFFORT);

    private final Set<String> names;
    private final Enforcement demand;

    private ProtectedPaths(Set<String> names, Enforcement demand) {
        Set<String> normal = new LinkedHashSet<>();
        for (String name : names) {
            if (CommandPaths.isPlain(name)) {
                normal.add(name);
                continue;
            }
            String path = CommandPaths.normalize("/" + name);
            if (name.startsWith("/")
                    || path.equals("/")
                    || List.of(name.split("/", -1)).contains("..")) {
                throw new IllegalArgumentException("a protected path is relative and stays inside: '" + name + "'");
            }
            normal.add(path.substring(1)); // a trailing slash is no way around it
        }
        names = Collections.unmodifiableSet(normal);
        this.names = names;
        this.demand = demand;
    }

    /**
     * Returns the paths that a program protects, in place of {@link #standard()}.
     *
     * @param names the paths, relative to the root of the worktree or of a nested repository
     * @param demand whether a backend that cannot protect them refuses the policy
     * @return the paths
     * @throws IllegalArgumentException if a path is absolute, empty, or leads out of the worktree
     */
    public static ProtectedPaths of(Set<String> names, Enforcement demand) {
        return new ProtectedPaths(names, demand);
    }

    /**
     * Returns the paths that are protected by default, on a best-effort basis: those that a program
     * obeys without being asked, if it is started for anything but to build, test or run the content of
     * the worktree, and that ordinary work does not change. They are
     *
     * <ul>
     *   <li>of git: {@code .git/hooks}, {@code .git/config}, {@code .gitconfig}, {@code .config/git},
     *       {@code .husky}
     *   <li>of other version control: {@code .hg/hgrc}, {@code .hg/hgrc-not-shared},
     *       {@code .hg/sharedpath}, {@code .jj/repo/config.toml}, {@code .jj/workspace-config.toml},
     *       {@code .sl/config}, {@code .sl/sharedpath}, {@code .pijul/config},
     *       {@code _darcs/prefs/defaults}, {@code .bzr/branch/branch.conf}, {@code .p4config}
     *   <li>of editors and file managers: {@code .vscode}, {@code .idea}, {@code .fleet},
     *       {@code .zed}, {@code .helix}, {@code .nova}, {@code .theia}, {@code .devcontainer},
     *       {@code .devcontainer.json}, {@code .kateproject}, {@code .kdev4}, {@code .lapce},
     *       {@code .tm_properties}, {@code .exrc}, {@code .vim}, {@code .vimrc}, {@code .vilerc},
     *       {@code .nvimrc}, {@code .nvim.lua}, {@code .lvimrc}, {@code .local.vimrc},
     *       {@code .lazy.lua}, {@code .neoconf.json}, {@code .dir-locals.el},
     *       {@code .dir-locals-2.el}, {@code .externalToolBuilders}, {@code .mc.menu}
     *   <li>of coding agents: {@code .mcp.json}, {@code .claude}, {@code .cursor}, {@code .codex},
     *       {@code .gemini}, {@code .qwen}, {@code .windsurf}, {@code .continue},
     *       {@code .aider.conf.yml}, {@code .clinerules}, {@code .roo}, {@code .kilocode},
     *       {@code .kiro}, {@code .amazonq}, {@code .opencode}, {@code opencode.json},
     *       {@code opencode.jsonc}, {@code .crush.json}, {@code crush.json}, {@code .junie},
     *       {@code .trae}, {@code .augment}, {@code .factory}, {@code .vibe}, {@code .agents},
     *       {@code .github/hooks}, {@code paddock.yaml}
     *   <li>of shells, and of what follows the current directory: {@code .profile}, {@code .bashrc},
     *       {@code .bash_profile}, {@code .bash_login}, {@code .bash_logout}, {@code .bash_aliases},
     *       {@code .zshenv}, {@code .zshrc}, {@code .zprofile}, {@code .zlogin}, {@code .zlogout},
     *       {@code .kshrc}, {@code .mkshrc}, {@code .cshrc}, {@code .tcshrc}, {@code .login},
     *       {@code .logout}, {@code .inputrc}, {@code .config/fish}, {@code .envrc},
     *       {@code .autoenv.zsh}, {@code .autoenv_leave.zsh}, {@code .autoenv},
     *       {@code .autoenv.leave}, {@code .env.leave}, {@code .shadowenv.d}, {@code .rvmrc}
     *   <li>of interpreters and debuggers: {@code .Rprofile}, {@code .Renviron}, {@code .RData},
     *       {@code .irbrc}, {@code irb.rc}, {@code _irbrc}, {@code $irbrc}, {@code .config/irb},
     *       {@code .pryrc}, {@code .byebugrc}, {@code .perldb}, {@code .psysh.php},
     *       {@code .phpdbginit}, {@code .pdbrc}, {@code .ghci}, {@code .ocamlinit}, {@code .iex.exs},
     *       {@code .erlang}, {@code .gambini}, {@code .gambini.scm}, {@code .octaverc},
     *       {@code .scilab}, {@code scilab.ini}, {@code .singularrc}, {@code .rootrc}, {@code .jdbrc},
     *       {@code jdb.ini}, {@code .dbxrc}, {@code .gdbinit}, {@code .lldbinit}
     *   <li>of package managers: {@code .npmrc}, {@code .yarnrc}, {@code .yarnrc.yml},
     *       {@code .yarn/releases}, {@code .yarn/plugins}, {@code .pnpmfile.cjs},
     *       {@code .pnpmfile.mjs}, {@code .cargo/config}, {@code .cargo/config.toml}
     *   <li>keys: {@code .ssh}, {@code .gnupg}
     * </ul>
     *
     * <p>A linked worktree's {@code .git} file is always protected as well.
     *
     * @return the same value on each call
     */
    public static ProtectedPaths standard() {
        return DEFAULT;
    }

    /**
     * Returns the same paths with another demand.
     *
     * @param value whether a backend that cannot protect them refuses the policy
     * @return the paths
     */
    public ProtectedPaths withDemand(Enforcement value) {
        return new ProtectedPaths(names, value);
    }

    /**
     * Returns whether a path of the worktree is one of these, below one of these, or the same in a
     * nested repository.
     *
     * @param relative a path relative to the worktree's root, in plain form, with {@code /} between
     *     its parts
     * @return true if it is protected. Ignores case, since some file systems do
     */
    public boolean covers(String relative) {
        String path = "/" + folded(relative) + "/";
        return names.stream().anyMatch(name -> path.contains("/" + folded(name) + "/"));
    }

    /** Folds case as file systems do that ignore it: some letters have an upper case in common, or several letters. */
    private static String folded(String path) {
        return path.toUpperCase(Locale.ROOT).toLowerCase(Locale.ROOT);
    }

    /** {@return the paths, relative to the root of the worktree or of a nested repository} */
    public Set<String> names() {
        return names;
    }

    /** {@return whether a backend that cannot protect them refuses the policy} */
    public Enforcement demand() {
        return demand;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof ProtectedPaths that && parts().equals(that.parts());
    }

    @Override
    public int hashCode() {
        return parts().hashCode();
    }

    @Override
    public String toString() {
        return "ProtectedPaths" + parts();
    }

    private List<Object> parts() {
        return List.of(names, demand);
    }
}
