package dev.paddock.executor.host;

import dev.paddock.executor.process.Order;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** What the host's commands have in common; what waits for one is used for no other plan than its own. */
record HostPlan(String shell, Map<String, String> env) {
    private static final Pattern IDENTIFIER = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

    /** The shell's own business, or read-only to one shell or another. */
    private static final Set<String> NOT_PASSED =
            Set.of("PWD", "OLDPWD", "SHLVL", "_", "UID", "EUID", "PPID", "SHELLOPTS", "BASHOPTS", "BASH_VERSINFO");

    HostPlan {
        env = Map.copyOf(env);
        env.forEach(Order::requireVariable);
    }

    /** What every shell passes on: dash and busybox drop names that are no identifiers. */
    static Map<String, String> passable(Map<String, String> env) {
        Map<String, String> passable = new TreeMap<>(env);
        passable.keySet()
                .removeIf(name ->
                        NOT_PASSED.contains(name) || !IDENTIFIER.matcher(name).matches());
        return passable;
    }
}
