package dev.paddock.harness;

import dev.paddock.executor.SpawnException;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.policy.CodeInjectionVariables;
import dev.paddock.executor.policy.EnvironmentPolicy;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a caller gives to commands as their environment, looked through before anything is made: what looks like a credential has
 * to be forced by name, and what makes a program run something else is refused where commands are held to a list, which it would
 * make worthless.
 */
record EnvironmentCheck(boolean listInForce) {
    private static final Logger LOG = LoggerFactory.getLogger(EnvironmentCheck.class);

    /** Of the host's, these say something about the host: a command's side has its own. */
    private static final Set<String> SIDES_OWN = Set.of("PATH", "HOME", "TMPDIR");

    /**
     * Refuses what must not be given.
     *
     * @throws IllegalArgumentException if a variable is refused; the message names it, and never a value
     */
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

    /**
     * The variables that each command gets.
     *
     * @param host the host's environment
     * @throws IllegalArgumentException if a variable is refused, or cannot be a command's; the message names it
     */
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
            LOG.warn("Not passed on to commands, since they may be credentials or hijack a program: {}", withheld);
        }
        Map<String, String> variables = environment.resolve(host);
        try {
            return SpawnOptions.builder("/").env(variables).build().env();
        } catch (SpawnException refused) {
            throw new IllegalArgumentException(refused.getMessage(), refused);
        }
    }
}
