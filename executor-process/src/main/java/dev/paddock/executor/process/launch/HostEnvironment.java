package dev.paddock.executor.process.launch;

import dev.paddock.executor.caller.CallerEnvironment;
import java.io.File;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Returns the caller's environment, in most programs the JVM's own, and finds the host's programs.
 *
 * @since 0.1
 */
public final class HostEnvironment {
    /** The shell that every POSIX system has. */
    public static final String SHELL = "/bin/sh";

    /** The system's program directories, for processes that receive no host environment. */
    public static final String SYSTEM_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

    /** Holds the caller's {@code LC_ALL} where a launcher starts the JVM in another locale; empty if it was not set. */
    private static final String LC_ALL_OF_CALLER = "PADDOCK_CALLER_LC_ALL";

    /** Holds the caller's {@code JAVA_HOME}, which the launcher of a checkout sets. */
    private static final String JAVA_HOME_OF_CALLER = "PADDOCK_CALLER_JAVA_HOME";

    private static final Map<String, String> OF_PROCESS = ofCaller(CallerEnvironment.ofProcess());

    private HostEnvironment() {}

    /**
     * Returns all variables of the caller as if it had started the JVM directly: with its locale, not the launcher's.
     *
     * @return names and values; unmodifiable by convention
     */
    public static Map<String, String> all() {
        Optional<Map<String, String>> given = CallerEnvironment.given();
        return given.isPresent() ? ofCaller(given.get()) : OF_PROCESS;
    }

    private static Map<String, String> ofCaller(Map<String, String> inherited) {
        return withJavaOfCaller(withLocaleOfCaller(inherited));
    }

    static Map<String, String> withLocaleOfCaller(Map<String, String> inherited) {
        String locale = inherited.get(LC_ALL_OF_CALLER);
        if (locale == null) {
            return inherited;
        }
        Map<String, String> own = new LinkedHashMap<>(inherited);
        own.remove(LC_ALL_OF_CALLER);
        own.remove("LC_ALL");
        if (!locale.isEmpty()) {
            own.put("LC_ALL", locale);
        }
        return Collections.unmodifiableMap(own);
    }

    static Map<String, String> withJavaOfCaller(Map<String, String> inherited) {
        String home = inherited.get(JAVA_HOME_OF_CALLER);
        if (home == null) {
            return inherited;
        }
        Map<String, String> own = new LinkedHashMap<>(inherited);
        own.remove(JAVA_HOME_OF_CALLER);
        own.remove("JAVA_HOME");
        if (!home.isEmpty()) {
            own.put("JAVA_HOME", home);
        }
        return Collections.unmodifiableMap(own);
    }

    /**
     * Returns the variables that commands on the host commonly need: {@code PATH}, {@code HOME},
     * {@code LANG}, {@code LC_*}, {@code TERM}, {@code TZ}, {@code USER}, {@code LOGNAME} and
     * {@code SHELL}, if they are set; {@code PATH} always.
     *
     * @return names and values
     */
    public static Map<String, String> minimal() {
        Map<String, String> variables = new LinkedHashMap<>();
        variables.put("PATH", SYSTEM_PATH);
        all().forEach((name, value) -> {
            if (CallerEnvironment.isUsual(name)) {
                variables.put(name, value);
            }
        });
        return variables;
    }

    /**
     * Finds a program on the caller's {@code PATH}, as a shell does.
     *
     * @param name a program's name, or its absolute path
     * @return its absolute path; empty if it does not exist or is not executable
     */
    public static Optional<String> findProgram(String name) {
        if (name.startsWith("/")) {
            return isProgram(new File(name)) ? Optional.of(name) : Optional.empty();
        }
        for (String directory : minimal().getOrDefault("PATH", SYSTEM_PATH).split(":", -1)) {
            File candidate = new File(directory, name);
            if (directory.startsWith("/") && isProgram(candidate)) {
                return Optional.of(candidate.getPath());
            }
        }
        return Optional.empty();
    }

    private static boolean isProgram(File file) {
        return file.isFile() && file.canExecute();
    }
}
