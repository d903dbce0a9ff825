package dev.paddock.harness.bindings;

import dev.paddock.harness.tools.Json;
import java.nio.file.Path;
import java.util.List;

/**
 * The grants of a container, without any value.
 *
 * @param root the container's directory, on the host
 * @param mode whether guests work in it or in a copy
 * @param bindings the names of the bindings
 * @param hasEnvOptions whether the program has set its own options for variables
 * @param hasExecPolicy whether the program has set a policy for commands
 * @param hasNetworkPolicy whether guests may fetch from some hosts
 * @param publicKeys the names of the public variables, sorted
 * @param secretKeys the names of the secrets, sorted
 * @since 0.1
 */
public record Description(
        Path root,
        AgentContainer.Mode mode,
        List<String> bindings,
        boolean hasEnvOptions,
        boolean hasExecPolicy,
        boolean hasNetworkPolicy,
        List<String> publicKeys,
        List<String> secretKeys) {

    /** Creates a description. */
    public Description {
        bindings = List.copyOf(bindings);
        publicKeys = List.copyOf(publicKeys);
        secretKeys = List.copyOf(secretKeys);
    }

    /**
     * Returns the description as JSON.
     *
     * @return an object
     */
    public Json toJson() {
        return Json.object()
                .with("root", root.toString())
                .with("workspaceMode", mode.label())
                .with("bindings", bindings)
                .with("hasEnvPolicy", hasEnvOptions)
                .with("hasExecPolicy", hasExecPolicy)
                .with("hasNetworkPolicy", hasNetworkPolicy)
                .with("publicEnvKeys", publicKeys)
                .with("secretEnvKeys", secretKeys);
    }
}
