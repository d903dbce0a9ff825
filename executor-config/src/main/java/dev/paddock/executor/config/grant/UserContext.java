package dev.paddock.executor.config.grant;

import dev.paddock.executor.process.launch.HostEnvironment;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * The user whose environment is granted.
 *
 * @param environment the user's environment
 * @param home the user's home directory, absolute
 * @since 0.1
 */
public record UserContext(Map<String, String> environment, Path home) {

    public UserContext {
        environment = Map.copyOf(environment);
    }

    /** {@return the user who runs this program: the environment of this process, and its {@code HOME}} */
    public static UserContext ofThisProcess() {
        return of(HostEnvironment.all());
    }

    /**
     * Returns the user with an environment.
     *
     * @param environment {@code HOME} names the home directory; by default the account's
     * @return the context
     */
    public static UserContext of(Map<String, String> environment) {
        Path account = Path.of(System.getProperty("user.home", "/")).toAbsolutePath();
        return new UserContext(environment, path(environment, "HOME").orElse(account));
    }

    /** Returns the directory that a variable names; empty if it is unset, or no absolute path. */
    Optional<Path> path(String variable) {
        return path(environment, variable);
    }

    private static Optional<Path> path(Map<String, String> environment, String variable) {
        try {
            return Optional.of(Path.of(environment.getOrDefault(variable, "")))
                    .filter(Path::isAbsolute)
                    .map(Path::normalize);
        } catch (InvalidPathException noPath) {
            return Optional.empty();
        }
    }

    /** Returns the directory of Paddock's disposable files. */
    Path cacheHome() {
        return path("XDG_CACHE_HOME").orElseGet(() -> home.resolve(".cache")).resolve("paddock");
    }
}
