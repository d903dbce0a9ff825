package dev.paddock.executor.policy;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The environment of a sandbox's commands before a command's own variables are added. Only the host
 * variables that are named here are passed on.
 *
 * @since 0.1
 */
public final class EnvironmentPolicy {

    private static final EnvironmentPolicy EMPTY =
            new EnvironmentPolicy(Map.of(), Set.of(), Set.of(), CredentialNames.standard());

    private final Map<String, String> variables;
    private final Set<String> passed;
    private final Set<String> forced;
    private final CredentialNames credentials;

    private EnvironmentPolicy(
            Map<String, String> variables, Set<String> passed, Set<String> forced, CredentialNames credentials) {
        variables.forEach((name, value) -> {
            requireName(name);
            if (value.indexOf('\0') >= 0) {
                throw new IllegalArgumentException("the value of the environment variable " + name + " contains NUL");
            }
        });
        passed.forEach(EnvironmentPolicy::requireName);
        forced.forEach(EnvironmentPolicy::requireName);
        variables = Map.copyOf(variables);
        passed = Set.copyOf(passed);
        forced = Set.copyOf(forced);
        this.variables = variables;
        this.passed = passed;
        this.forced = forced;
        this.credentials = credentials;
    }

    /**
     * Returns the policy without variables, which passes none on.
     *
     * @return the same value on each call
     */
    public static EnvironmentPolicy empty() {
        return EMPTY;
    }

    /**
     * Returns this policy with one more fixed variable.
     *
     * @param name its name
     * @param value its value
     * @return the policy
     * @throws IllegalArgumentException if the name is empty or contains {@code =}, or either contains NUL
     */
    public EnvironmentPolicy with(String name, String value) {
        Map<String, String> more = new LinkedHashMap<>(variables);
        more.put(name, value);
        return new EnvironmentPolicy(more, passed, forced, credentials);
    }

    /**
     * Returns this policy with one more host variable passed on.
     *
     * @param name its name
     * @return the policy
     * @throws IllegalArgumentException if the name is empty, or contains {@code =} or NUL
     */
    public EnvironmentPolicy passing(String name) {
        return new EnvironmentPolicy(variables, and(passed, name), forced, credentials);
    }

    /**
     * Returns this policy with one more host variable passed on, even if it looks like a
     * credential's.
     *
     * @param name its name
     * @return the policy
     * @throws IllegalArgumentException as {@link #passing} does
     */
    public EnvironmentPolicy forcing(String name) {
        return new EnvironmentPolicy(variables, passed, and(forced, name), credentials);
    }

    /**
     * Returns this policy with other rules for what looks like a credential.
     *
     * @param rules recognize a credential's name
     * @return the policy
     */
    public EnvironmentPolicy withCredentials(CredentialNames rules) {
        return new EnvironmentPolicy(variables, passed, forced, rules);
    }

    /**
     * Returns whether a host variable is not passed on although it was named.
     *
     * @param name the variable's name
     * @return true if it looks like a credential's and is not forced, or is one of
     *     {@link CodeInjectionVariables}
     */
    public boolean withholds(String name) {
        return CodeInjectionVariables.matches(name) || (credentials.matches(name) && !forced.contains(name));
    }

    /**
     * Returns the variables that this policy grants.
     *
     * @param host the host's environment
     * @return the host variables that are passed on, overridden by the fixed variables
     */
    public Map<String, String> resolve(Map<String, String> host) {
        Map<String, String> granted = new LinkedHashMap<>();
        Set<String> named = new LinkedHashSet<>(passed);
        named.addAll(forced);
        for (String name : named) {
            String value = host.get(name);
            if (value != null && !withholds(name)) {
                granted.put(name, value);
            }
        }
        granted.putAll(variables);
        return Map.copyOf(granted);
    }

    private static Set<String> and(Set<String> names, String name) {
        Set<String> more = new LinkedHashSet<>(names);
        more.add(name);
        return more;
    }

    private static void requireName(String name) {
        if (name.isEmpty() || name.indexOf('=') >= 0 || name.indexOf('\0') >= 0) {
            throw new IllegalArgumentException(
                    "not an environment variable's name: '" + name.replace("\0", "\\0") + "'");
        }
    }

    /** {@return the fixed variables} */
    public Map<String, String> variables() {
        return variables;
    }

    /**
     * {@return the names of host variables to pass on, if they are set there} Names that look like a
     * credential's are left out unless forced, and {@link CodeInjectionVariables} always.
     */
    public Set<String> passed() {
        return passed;
    }

    /** {@return the names of host variables to pass on even if they look like a credential's} */
    public Set<String> forced() {
        return forced;
    }

    /** {@return the rules that recognize a credential's name} */
    public CredentialNames credentials() {
        return credentials;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof EnvironmentPolicy that && parts().equals(that.parts());
    }

    @Override
    public int hashCode() {
        return parts().hashCode();
    }

    /** Names the variables, but does not show their values, which may be secret; for logs. */
    @Override
    public String toString() {
        return "EnvironmentPolicy" + List.of(variables.keySet(), passed, forced, credentials);
    }

    private List<Object> parts() {
        return List.of(variables, passed, forced, credentials);
    }
}
