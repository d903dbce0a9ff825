package dev.paddock.cli.command;

import dev.paddock.cli.terminal.Console;
import dev.paddock.cli.terminal.InvocationContext;
import dev.paddock.executor.policy.CodeInjectionVariables;
import dev.paddock.executor.policy.EnvironmentPolicy;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Gives commands the variables that the options and the configuration name, with the caller's values. */
public final class CommandVariables {
    private CommandVariables() {}

    /** Returns whether the command line gives commands a variable, or passes it on. */
    public static boolean sets(Arguments arguments, String name) {
        return arguments.all(SandboxFlags.ENV).stream().anyMatch(given -> given.startsWith(name + "="))
                || arguments.all(SandboxFlags.PASS_ENV).contains(name);
    }

    /** Returns a configuration's variables with this caller's values; prints which are withheld. */
    static EnvironmentPolicy of(
            EnvironmentPolicy configured, Arguments arguments, InvocationContext caller, Console console) {
        EnvironmentPolicy environment = EnvironmentPolicy.empty();
        Set<String> passed = new TreeSet<>(configured.passed());
        passed.removeAll(configured.forced());
        for (String name : passed) {
            String option = arguments.all(SandboxFlags.PASS_ENV).contains(name) ? "--pass-env " : "environment.pass: ";
            environment = passing(environment, name, false, option, caller, console);
        }
        for (String name : new TreeSet<>(configured.forced())) {
            String option =
                    arguments.all(SandboxFlags.PASS_ENV).contains(name + "!") ? "--pass-env " : "environment.pass: ";
            environment = passing(environment, name, true, option, caller, console);
        }
        for (Map.Entry<String, String> variable : configured.variables().entrySet()) {
            environment = given(environment, variable.getKey(), variable.getValue());
        }
        return environment;
    }

    /**
     * Adds a variable of the caller to the environment. Reads its value here: the backend sees the launcher's locale,
     * not the caller's.
     */
    private static EnvironmentPolicy passing(
            EnvironmentPolicy environment,
            String name,
            boolean forced,
            String option,
            InvocationContext caller,
            Console console) {
        if (CodeInjectionVariables.matches(name)) {
            console.complain(option + name + " is withheld: the variable can make programs run something else;"
                    + " set it with --env if that is wanted");
            return environment;
        }
        if (!forced && environment.withholds(name)) {
            console.complain(option + name + " is withheld: the name looks like a credential's; write " + option + name
                    + "! to pass it on nevertheless");
            return environment;
        }
        return caller.variable(name)
                .map(value -> given(environment, name, value))
                .orElse(environment);
    }

    /** Adds a variable that the command line gives explicitly, although its name may look like a credential. */
    private static EnvironmentPolicy given(EnvironmentPolicy environment, String name, String value) {
        EnvironmentPolicy more = environment.with(name, value);
        return more.credentials().matches(name) ? more.forcing(name) : more;
    }
}
