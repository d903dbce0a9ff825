package dev.paddock.executor.variable;

import java.util.HashSet;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Lists the environment variables that shells treat specially: the names that every shell passes
 * on, and those that some shell sets, refuses or changes. One table serves every executor, since it
 * is not known which shell is {@code sh} in a sandbox: dash, bash, busybox, mksh, zsh.
 *
 * @since 0.1
 */
public final class ShellVariables {
    /**
     * The form of a name that every shell passes on, as a regular expression; dash and busybox drop
     * other names.
     */
    public static final String IDENTIFIER = "[A-Za-z_][A-Za-z0-9_]*";

    private static final Pattern NAME = Pattern.compile(IDENTIFIER);

    /** Read-only in some shell: bash, run as sh, exits when it exports one of them. */
    private static final Set<String> READ_ONLY =
            Set.of("UID", "EUID", "PPID", "SHELLOPTS", "BASHOPTS", "BASH_VERSINFO");

    /** Reset by every shell when it starts. */
    private static final Set<String> MAINTAINED = Set.of("PWD", "OLDPWD", "SHLVL", "_");

    /**
     * Computed when they are read, or always numeric: a shell that exports them changes or drops
     * their value.
     */
    private static final Set<String> COMPUTED = Set.of(
            "OPTIND",
            "LINENO",
            "RANDOM",
            "SRANDOM",
            "SECONDS",
            "EPOCHSECONDS",
            "EPOCHREALTIME",
            "HISTCMD",
            "DIRSTACK",
            "GROUPS",
            "FUNCNAME",
            "PIPESTATUS",
            "BASHPID",
            "BASH_ALIASES",
            "BASH_ARGC",
            "BASH_ARGV",
            "BASH_CMDS",
            "BASH_COMMAND",
            "BASH_LINENO",
            "BASH_MONOSECONDS",
            "BASH_SOURCE",
            "BASH_SUBSHELL",
            "BASH_TRAPSIG");

    /** Change how a running shell behaves when they are assigned. */
    private static final Set<String> OBEYED = Set.of(
            "IFS",
            "OPTERR",
            "OPTARG",
            "POSIXLY_CORRECT",
            "COMP_WORDBREAKS",
            "PS4",
            "HISTSIZE",
            "HISTFILESIZE",
            "IGNOREEOF",
            "FUNCNEST");

    private ShellVariables() {}

    /**
     * Returns whether every shell passes on a variable of this name.
     *
     * @param name a variable's name
     * @return true if it is an {@linkplain #IDENTIFIER identifier}
     */
    public static boolean isIdentifier(String name) {
        return NAME.matcher(name).matches();
    }

    /**
     * Returns whether some shell refuses to set a variable.
     *
     * @param name a variable's name
     * @return true for {@code UID}, {@code PPID} and their like
     */
    public static boolean isReadOnly(String name) {
        return READ_ONLY.contains(name);
    }

    /**
     * Returns the variables that a shell resets when it starts, whatever its environment contains.
     *
     * @return {@code PWD}, {@code OLDPWD}, {@code SHLVL} and {@code _}
     */
    public static Set<String> maintained() {
        return MAINTAINED;
    }

    /**
     * Returns whether a variable of the JVM's environment can be passed to a command: an identifier
     * that no shell reserves for itself.
     *
     * @param name a variable's name
     * @return false if a shell would drop, refuse or replace it
     */
    public static boolean isPassable(String name) {
        return isIdentifier(name) && !MAINTAINED.contains(name) && !READ_ONLY.contains(name);
    }

    /**
     * Returns whether some shell that exports a variable changes or drops its value.
     *
     * @param name a variable's name
     * @return true for the shell's own counters, clocks and lists
     */
    public static boolean isComputed(String name) {
        return COMPUTED.contains(name);
    }

    /**
     * Returns whether a running shell stores a variable like any other. A process that is started
     * with any other variable in its environment receives it unchanged.
     *
     * @param name a variable's name
     * @return false if the variable has a special meaning to some shell
     */
    public static boolean isPlain(String name) {
        return !name.startsWith("BASH")
                && !name.equals("_")
                && !name.equals("SHLVL")
                && !COMPUTED.contains(name)
                && !OBEYED.contains(name);
    }

    /** Returns every name in the table. */
    static Set<String> all() {
        Set<String> all = new HashSet<>();
        Stream.of(READ_ONLY, MAINTAINED, COMPUTED, OBEYED).forEach(all::addAll);
        return Set.copyOf(all);
    }
}
