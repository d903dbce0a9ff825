package dev.paddock.executor.policy;

import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Recognizes variables that make a program run other code than its caller intended: loader, shell,
 * interpreter and git hooks in the environment. They are never passed on from the host.
 *
 * @since 0.1
 */
public final class CodeInjectionVariables {
    private static final List<String> PREFIXES = List.of("LD_", "DYLD_", "BASH_FUNC_", "GIT_CONFIG");

    private static final Set<String> NAMES = Set.of(
            "BASH_ENV",
            "ENV",
            "SHELLOPTS",
            "BASHOPTS",
            "IFS",
            "PS4",
            "PROMPT_COMMAND",
            "NODE_OPTIONS",
            "NODE_PATH",
            "PYTHONPATH",
            "PYTHONHOME",
            "PYTHONSTARTUP",
            "PERL5LIB",
            "PERL5OPT",
            "RUBYOPT",
            "RUBYLIB",
            "JAVA_TOOL_OPTIONS",
            "_JAVA_OPTIONS",
            "JDK_JAVA_OPTIONS",
            "CLASSPATH",
            "GIT_SSH_COMMAND",
            "GIT_SSH",
            "GIT_EXEC_PATH",
            "GIT_EXTERNAL_DIFF",
            "GIT_PAGER",
            "GIT_EDITOR",
            "GIT_SEQUENCE_EDITOR",
            "GIT_ASKPASS",
            "GIT_DIR",
            "GIT_WORK_TREE",
            "GIT_PROXY_COMMAND",
            "GIT_TEMPLATE_DIR",
            "EDITOR",
            "VISUAL",
            "PAGER",
            "BROWSER",
            "GCONV_PATH",
            "GLIBC_TUNABLES",
            "LOCPATH",
            "HOSTALIASES",
            "RES_OPTIONS",
            "TMPDIR",
            "SSH_ASKPASS",
            "GCC_EXEC_PREFIX",
            "COMPILER_PATH",
            "LIBRARY_PATH");

    private CodeInjectionVariables() {}

    /**
     * Returns whether a variable can make a program run other code. Ignores case.
     *
     * @param name a variable's name
     * @return true if it can
     */
    public static boolean matches(String name) {
        String folded = name.toUpperCase(Locale.ROOT);
        return NAMES.contains(folded) || PREFIXES.stream().anyMatch(folded::startsWith);
    }
}
