package dev.paddock.executor.config;

import dev.paddock.executor.ExecutorProvider;
import dev.paddock.executor.ExecutorProviders;
import dev.paddock.executor.SpawnException;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.config.grant.CacheKind;
import dev.paddock.executor.config.spelling.Spelling;
import dev.paddock.executor.policy.Mount;
import dev.paddock.executor.policy.NetworkPolicy;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.policy.ResourceLimits;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Parses and checks the values of single keys. Each throws IllegalArgumentException with the reason. */
final class Values {
    static final String HOST = "host";
    static final String DOCKER = "docker";
    private static final String PODMAN = "podman";
    static final String KUBERNETES = "kubernetes";
    static final String SSH = "ssh";
    static final String TOOLCHAINS_OF_PATH = "path";
    static final String IDENTITY_OF_USER = "user";
    static final String SCOPE_OF_USER = "user";
    static final String PROXY_OF_HOST = "host";
    static final String TRUE = "true";
    static final String OFF = "off";
    static final String BASH = "bash";
    static final String WRITABLE = "writable";

    /** Paddock's own backends, which a file may name even if they are not installed. */
    static final List<String> BACKENDS =
            List.of(ExecutorProviders.AUTO, "bwrap", "landlock", "seatbelt", DOCKER, KUBERNETES, SSH, HOST);

    /** {@code auto}, and backends that confine nothing or run commands on another machine. */
    private static final Set<String> NEVER_IN_A_LIST = Set.of(ExecutorProviders.AUTO, HOST, SSH, KUBERNETES);

    private static final Pattern DECIMAL = Pattern.compile("\\d{1,7}(\\.\\d{1,9})?");
    private static final Pattern SETTING = Pattern.compile("[A-Za-z][A-Za-z0-9]{0,63}");
    private static final Pattern WHOLE = Pattern.compile("\\d{1,9}");

    private Values() {}

    /** Checks the text of a key that has no further structure. */
    static String checked(Key key, String text) {
        switch (key) {
            case EXECUTOR -> requireBackends(text);
            case NETWORK -> NetworkPolicy.parse(text);
            case AUDIT -> Auditing.parse(text);
            case MEMORY, CPUS, PROCESSES, FILE_SIZE -> with(ResourceLimits.none(), key, text);
            case TOOLCHAINS -> requireOne(key, text, TOOLCHAINS_OF_PATH, "off");
            case IDENTITY -> requireOne(key, text, IDENTITY_OF_USER, "none");
            case SHELL -> requireOne(key, text, BASH, "sh");
            case UNIX_SOCKETS -> requireOne(key, text, "on", OFF);
            case ALLOW_PROXY -> requireOne(key, text, PROXY_OF_HOST, "none");
            case CACHE_SCOPE -> requireOne(key, text, "worktree", SCOPE_OF_USER);
            case ROOT -> requireOne(key, text, "read-only", WRITABLE);
            case TMP_SIZE -> ResourceLimits.parseBytes(text);
            case CACHE_FROM_HOME, PROXY_VARIABLES, TMP_EXEC -> requireOne(key, text, TRUE, "false");
            default -> {
                if (text.isBlank()) {
                    throw new IllegalArgumentException(key.path() + " is empty; give it a value, or leave it out");
                }
            }
        }
        return text;
    }

    static void requireOne(Key key, String text, String one, String other) {
        if (!text.equals(one) && !text.equals(other)) {
            throw new IllegalArgumentException(key.path() + " is " + one + " or " + other + ", not '" + text + "'");
        }
    }

    /** Checks the name of a cache. */
    static String cache(String text) {
        if (CacheKind.find(text).isEmpty()) {
            List<String> known =
                    Stream.of(CacheKind.values()).map(CacheKind::word).toList();
            throw new IllegalArgumentException("there is no cache named '" + text + "'"
                    + Spelling.nearest(text, known)
                            .map(near -> "; did you mean " + near + "?")
                            .orElse("; there are " + String.join(", ", known)));
        }
        return text;
    }

    static ResourceLimits with(ResourceLimits limits, Key key, String text) {
        return switch (key) {
            case MEMORY -> limits.withMemory(ResourceLimits.parseBytes(text));
            case FILE_SIZE -> limits.withFileSize(ResourceLimits.parseBytes(text));
            case CPUS -> limits.withCpus(decimal(text));
            case PROCESSES -> limits.withProcesses(whole(text));
            default -> throw new IllegalStateException("no limit: " + key);
        };
    }

    /** Returns whether a backend confines nothing: its commands have the network of their machine. */
    static boolean confinesNothing(String backend) {
        return backend.equals(HOST) || backend.equals(SSH);
    }

    /** Returns whether a backend runs commands on another machine, without this one's files. */
    static boolean isElsewhere(String backend) {
        return backend.equals(KUBERNETES) || backend.equals(SSH);
    }

    /** Checks the form of a backend's setting; the backend checks its name. */
    static String setting(String name, String value) {
        if (!SETTING.matcher(name).matches()) {
            throw new IllegalArgumentException("a setting's name consists of letters and digits, not '" + name + "'");
        }
        if (value.isBlank()) {
            throw new IllegalArgumentException("the setting '" + name + "' is empty; give it a value, or leave it out");
        }
        return value;
    }

    /** Checks a name to pass on, with or without the mark that forces it. */
    static String passed(String name) {
        requireVariable(name.endsWith("!") ? name.substring(0, name.length() - 1) : name, "");
        return name;
    }

    /** Checks the name of a variable. */
    static String variable(String name) {
        requireVariable(name, "");
        return name;
    }

    /** Checks a variable as the start of a command would. */
    static void requireVariable(String name, String value) {
        try {
            SpawnOptions.builder("/").env(name, value).build();
        } catch (SpawnException refused) {
            throw new IllegalArgumentException(refused.getMessage(), refused);
        }
    }

    static String target(String text) {
        String target = Mount.target(text);
        new PathMapping(Path.of("/"), target);
        return target;
    }

    /** Checks the name of a backend, or the names of several, which confine commands on this machine. */
    private static void requireBackends(String text) {
        String[] names = text.split(",", -1);
        Set<String> different = new LinkedHashSet<>();
        for (String name : names) {
            requireBackend(name);
            if (names.length > 1 && NEVER_IN_A_LIST.contains(name)) {
                throw new IllegalArgumentException("'" + name + "' cannot be one of several executors, of which the"
                        + " first usable one is taken: each has to be a sandbox of this machine; name it alone");
            }
            if (!different.add(name)) {
                throw new IllegalArgumentException("the executor '" + name + "' is there twice");
            }
        }
    }

    private static void requireBackend(String name) {
        if (BACKENDS.contains(name)) {
            return;
        }
        Set<String> known = new LinkedHashSet<>(BACKENDS);
        for (ExecutorProvider provider : ExecutorProviders.installed()) {
            known.add(provider.name());
        }
        if (!known.contains(name)) {
            if (name.equals(PODMAN)) {
                throw new IllegalArgumentException("Podman's containers are those of the executor docker: name docker,"
                        + " and set DOCKER_HOST to Podman's socket, unix://$XDG_RUNTIME_DIR/podman/podman.sock");
            }
            throw new IllegalArgumentException("there is no backend named '" + name + "'"
                    + Spelling.nearest(name, List.copyOf(known))
                            .map(near -> "; did you mean " + near + "?")
                            .orElse("; there are " + String.join(", ", known)));
        }
    }

    private static double decimal(String text) {
        if (!DECIMAL.matcher(text).matches()) {
            throw new IllegalArgumentException("cpus is a number such as 1.5, not '" + text + "'");
        }
        return Double.parseDouble(text);
    }

    private static int whole(String text) {
        if (!WHOLE.matcher(text).matches()) {
            throw new IllegalArgumentException("processes is a whole number such as 256, not '" + text + "'");
        }
        return Integer.parseInt(text);
    }
}
