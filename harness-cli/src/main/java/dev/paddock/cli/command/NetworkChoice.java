package dev.paddock.cli.command;

import dev.paddock.executor.policy.HostRule;
import dev.paddock.executor.policy.NetworkPolicy;
import java.util.List;
import java.util.Optional;

/** Reads the network of the command line: all of it, none, or named hosts and groups. */
public final class NetworkChoice {
    private static final String GROUP = "@";

    private NetworkChoice() {}

    /**
     * Returns the network, as a configuration's builder reads it.
     *
     * @return empty if the command line says nothing of it
     * @throws UsageException if a value is malformed, or the options contradict each other
     */
    public static Optional<String> read(Arguments arguments) {
        Optional<String> whole = arguments.value(SandboxFlags.NETWORK);
        List<String> hosts = arguments.all(SandboxFlags.ALLOW);
        if (hosts.isEmpty()) {
            requireHosts(arguments, SandboxFlags.HOST_PROXY, "proxy: host");
            requireHosts(arguments, SandboxFlags.PROXY_VARIABLES, "proxy-variables: true");
            whole.ifPresent(text -> check(SandboxFlags.NETWORK, text, () -> {
                if (text.startsWith("allow")) {
                    throw new IllegalArgumentException("name the hosts by --allow HOST");
                }
                NetworkPolicy.parse(text);
            }));
            return whole;
        }
        if (whole.isPresent()) {
            throw new UsageException("--allow names the hosts that commands reach, and --network " + whole.get()
                    + " says all or none: give one of them");
        }
        hosts.stream()
                .filter(host -> !host.startsWith(GROUP))
                .forEach(host -> check(SandboxFlags.ALLOW, host, () -> HostRule.parse(host)));
        String proxy = arguments.has(SandboxFlags.HOST_PROXY) ? "proxy=host " : "";
        String offered = arguments.has(SandboxFlags.PROXY_VARIABLES) ? "proxy=offered " : "";
        return Optional.of("allow " + proxy + offered + String.join(" ", hosts));
    }

    private static void requireHosts(Arguments arguments, Option option, String key) {
        if (arguments.has(option)) {
            throw new UsageException(option.name() + " is for the hosts of --allow; name some, or write '" + key
                    + "' under 'network' in the configuration");
        }
    }

    private static void check(Option option, String text, Runnable check) {
        try {
            check.run();
        } catch (IllegalArgumentException refused) {
            throw new UsageException(option.name() + " " + text + ": " + refused.getMessage());
        }
    }
}
