package dev.paddock.cli.command;

import dev.paddock.cli.terminal.InvocationContext;
import dev.paddock.executor.config.Auditing;
import dev.paddock.executor.config.SandboxConfig;
import dev.paddock.executor.config.SandboxConfigBuilder;
import dev.paddock.executor.policy.Mount;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads the options of the sandbox, without the configuration files. */
final class GivenOptions {
    private static final String IMAGE = "image";
    private static final String CONTAINER = "container";

    /** The options that are settings of the backend, by the setting's name. */
    private static final Map<String, Option> SETTINGS = settings();

    private static Map<String, Option> settings() {
        Map<String, Option> settings = new LinkedHashMap<>();
        settings.put(IMAGE, SandboxFlags.IMAGE);
        settings.put(CONTAINER, SandboxFlags.CONTAINER);
        settings.put("host", SandboxFlags.REMOTE_HOST);
        settings.put("pod", SandboxFlags.POD);
        settings.put("claim", SandboxFlags.CLAIM);
        settings.put("namespace", SandboxFlags.NAMESPACE);
        settings.put("context", SandboxFlags.CONTEXT);
        return settings;
    }

    private GivenOptions() {}

    /**
     * Returns the options as a configuration, without the files.
     *
     * @throws UsageException if a value is malformed
     */
    static SandboxConfig read(Arguments arguments, InvocationContext caller) {
        SandboxConfigBuilder own = SandboxConfig.builder();
        OptionValues.value(arguments, SandboxFlags.EXECUTOR, own::executor);
        if (arguments.has(SandboxFlags.NO_AUDIT)) {
            own.auditing(Auditing.OFF);
        }
        settings(arguments)
                .forEach((name, value) -> OptionValues.refusingMisuse("", () -> switch (name) {
                    case IMAGE -> own.image(value);
                    case CONTAINER -> own.container(value);
                    default -> own.setting(name, value);
                }));
        NetworkChoice.read(arguments).ifPresent(network -> OptionValues.refusingMisuse("", () -> own.network(network)));
        OptionValues.value(arguments, SandboxFlags.MEMORY, text -> own.limit("memory", text));
        OptionValues.value(arguments, SandboxFlags.CPUS, text -> own.limit("cpus", text));
        OptionValues.value(arguments, SandboxFlags.PIDS, text -> own.limit("processes", text));
        for (String mount : arguments.all(SandboxFlags.MOUNT)) {
            own.mount(OptionValues.parse(SandboxFlags.MOUNT, mount, text -> Mount.parse(text, caller.directory())));
        }
        OptionValues.value(arguments, SandboxFlags.TOOLCHAINS, own::toolchains);
        OptionValues.value(arguments, SandboxFlags.IDENTITY, own::identity);
        OptionValues.value(arguments, SandboxFlags.SHELL, own::shell);
        for (String kinds : arguments.all(SandboxFlags.CACHE)) {
            for (String kind : kinds.split(",", -1)) {
                OptionValues.parse(SandboxFlags.CACHE, kinds, whole -> own.cache(kind.strip()));
            }
        }
        OptionValues.value(arguments, SandboxFlags.CACHE_SCOPE, own::cacheScope);
        if (arguments.has(SandboxFlags.CACHE_FROM_HOME)) {
            own.cacheFromHome(true);
        }
        for (String name : arguments.all(SandboxFlags.PASS_ENV)) {
            OptionValues.refusingMisuse("", () -> own.pass(name));
        }
        for (String assignment : arguments.all(SandboxFlags.ENV)) {
            int equals = assignment.indexOf('=');
            if (equals < 1) {
                throw new UsageException("--env is NAME=VALUE, not '" + assignment
                        + "'; a variable of yours is passed on by --pass-env NAME");
            }
            OptionValues.refusingMisuse(
                    "", () -> own.set(assignment.substring(0, equals), assignment.substring(equals + 1)));
        }
        return own.build();
    }

    /**
     * Returns the backend's own settings that the options give.
     *
     * @throws UsageException if a value is malformed, or two options contradict each other
     */
    static Map<String, String> settings(Arguments arguments) {
        Map<String, String> settings = new LinkedHashMap<>();
        for (Map.Entry<String, Option> setting : SETTINGS.entrySet()) {
            arguments
                    .value(setting.getValue())
                    .ifPresent(value -> settings.put(setting.getKey(), requireText(setting.getValue(), value)));
        }
        for (Option existing : List.of(SandboxFlags.CONTAINER, SandboxFlags.POD)) {
            if (arguments.has(SandboxFlags.IMAGE) && arguments.has(existing)) {
                throw new UsageException("--image creates what " + existing.name() + " names: give one of them");
            }
        }
        for (Option other : List.of(SandboxFlags.IMAGE, SandboxFlags.POD)) {
            if (arguments.has(SandboxFlags.CLAIM) && arguments.has(other)) {
                throw new UsageException("--claim and " + other.name() + " name different pods: give one of them");
            }
        }
        for (String assignment : arguments.all(SandboxFlags.SETTING)) {
            int equals = assignment.indexOf('=');
            if (equals < 1) {
                throw new UsageException("--setting is NAME=VALUE, not '" + assignment + "'");
            }
            String name = assignment.substring(0, equals);
            if (settings.putIfAbsent(name, assignment.substring(equals + 1)) != null) {
                throw new UsageException("the setting '" + name + "' is given twice");
            }
        }
        return Map.copyOf(settings);
    }

    private static String requireText(Option option, String value) {
        if (value.isBlank()) {
            throw new UsageException(option.name() + " lacks its value: " + option.usage());
        }
        return value;
    }
}
