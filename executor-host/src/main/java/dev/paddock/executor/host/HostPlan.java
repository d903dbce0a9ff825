package dev.paddock.executor.host;

import dev.paddock.executor.process.warm.CommandRequest;
import dev.paddock.executor.variable.ShellVariables;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The shell and the environment that the host's commands share. A warm slot serves only commands
 * with an equal plan.
 */
record HostPlan(String shell, Map<String, String> env) {
    HostPlan {
        env = Map.copyOf(env);
        env.forEach(CommandRequest::requireVariable);
    }

    // By hand: the JDK would generate it in each JVM, at the first comparison.
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof HostPlan that && shell.equals(that.shell) && env.equals(that.env);
    }

    @Override
    public int hashCode() {
        return 31 * shell.hashCode() + env.hashCode();
    }

    /**
     * Returns the variables that every shell passes to its children: dash and busybox drop names
     * that are no identifiers.
     */
    static Map<String, String> passable(Map<String, String> env) {
        Map<String, String> passable = new TreeMap<>(env);
        passable.keySet().removeIf(name -> !ShellVariables.isPassable(name));
        return passable;
    }
}
