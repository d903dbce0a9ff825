package dev.paddock.harness;

import dev.paddock.executor.SpawnException;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.log.LateLogger;
import dev.paddock.executor.policy.CodeInjectionVariables;
import dev.paddock.executor.policy.EnvironmentPolicy;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Validates the environment for commands before the session is assembled. A variable whose name looks like a credential
 * must be forced by name; with an allow list, a variable that makes a program run other code is rejected, since it
 * would bypass the list.
 */
record EnvironmentCheck(boolean listInForce) {
    private static final Logger LOG = LateLogger.of(EnvironmentCheck.class);

    /** Variables that describe the host; the sandbox has its own values. */
    private static final Set<String> SIDES_OWN = Set.of("PATH", "HOME", "TMPDIR");

    /** Rejects forbidden variables. The message contains a variable's name, never a value. */
    void check(EnvironmentPolicy environment) {
        for (String name : environment.variables().keySet()) {
            if (listInForce && CodeInjectionVariables.matches(name)) {
                throw new IllegalArgumentException("the environment variable " + name
                        + " can make an allowed command run another: with allowedCommands it cannot be given");
            }
            if (environment.credentials().matches(name) && !environment.forced().contains(name)) {
                throw new IllegalArgumentException("the environment variable " + name
                        + " looks like a credential's, which commands would read; if that is wanted, add forcing(\""
                        + name
                        + "\") to the environment");
            }
        }
    }

    /** Returns the variables that each command gets; rejects invalid ones, as {@link #check} does. */
    Map<String, String> resolve(EnvironmentPolicy environment, Map<String, String> host) {
        check(environment);
        Set<String> fromHost = new HashSet<>(environment.passed());
        fromHost.addAll(environment.forced());
        fromHost.removeAll(environment.variables().keySet());
        for (String name : SIDES_OWN) {
            if (fromHost.contains(name)) {
                throw new IllegalArgumentException("the host's " + name
                        + " means nothing where commands run and is not passed on; give a value if one is wanted");
            }
        }
        Set<String> withheld = fromHost.stream().filter(environment::withholds).collect(Collectors.toSet());
        if (!withheld.isEmpty()) {
            LOG.log(
                    Level.WARNING,
                    "Not passed on to commands, since they may be credentials or hijack a program: " + withheld);
        }
        Map<String, String> variables = environment.resolve(host);
        try {
            return SpawnOptions.builder("/").env(variables).build().env();
        } catch (SpawnException refused) {
            throw new IllegalArgumentException(refused.getMessage(), refused);
        }
    }
}
