package dev.paddock.executor.host;

import dev.paddock.executor.policy.ShellVariables;
import dev.paddock.executor.process.warm.CommandRequest;
import java.util.Map;
import java.util.TreeMap;

/** What the host's commands have in common; what waits for one is used for no other plan than its own. */
record HostPlan(String shell, Map<String, String> env) {
    HostPlan {
        env = Map.copyOf(env);
        env.forEach(CommandRequest::requireVariable);
    }

    /** What every shell passes on: dash and busybox drop names that are no identifiers. */
    static Map<String, String> passable(Map<String, String> env) {
        Map<String, String> passable = new TreeMap<>(env);
        passable.keySet().removeIf(name -> !ShellVariables.isPassable(name));
        return passable;
    }
}
