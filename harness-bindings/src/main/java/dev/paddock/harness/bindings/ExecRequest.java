package dev.paddock.harness.bindings;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A command for {@code EXEC}. Immutable: each method returns a changed copy.
 *
 * @since 0.1
 */
public final class ExecRequest {

    private final String command;
    private final List<String> args;
    private final Optional<String> cwd;
    private final Optional<String> stdin;
    private final Optional<Duration> timeout;
    private final Map<String, String> env;
    private final Optional<List<String>> envKeys;
    private final boolean includeSecrets;

    private ExecRequest(
            String command,
            List<String> args,
            Optional<String> cwd,
            Optional<String> stdin,
            Optional<Duration> timeout,
            Map<String, String> env,
            Optional<List<String>> envKeys,
            boolean includeSecrets) {
        args = List.copyOf(args);
        env = Map.copyOf(env);
        envKeys = envKeys.map(List::copyOf);
        this.command = command;
        this.args = args;
        this.cwd = cwd;
        this.stdin = stdin;
        this.timeout = timeout;
        this.env = env;
        this.envKeys = envKeys;
        this.includeSecrets = includeSecrets;
    }

    /**
     * Returns a request in the root, with the public variables.
     *
     * @param command the program's name or path, or the script
     * @param args its arguments
     */
    public static ExecRequest of(String command, String... args) {
        return new ExecRequest(
                command,
                List.of(args),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Map.of(),
                Optional.empty(),
                false);
    }

    /**
     * Returns this request in another directory.
     *
     * @param value the directory, as {@code WORKSPACE} names it
     */
    public ExecRequest in(String value) {
        return new ExecRequest(command, args, Optional.of(value), stdin, timeout, env, envKeys, includeSecrets);
    }

    /**
     * Returns this request with a standard input.
     *
     * @param text the input
     */
    public ExecRequest stdin(String text) {
        return new ExecRequest(command, args, cwd, Optional.of(text), timeout, env, envKeys, includeSecrets);
    }

    /**
     * Returns this request with a time limit.
     *
     * @param value zero for none
     */
    public ExecRequest timeout(Duration value) {
        return new ExecRequest(command, args, cwd, stdin, Optional.of(value), env, envKeys, includeSecrets);
    }

    /**
     * Returns this request with additional variables.
     *
     * @param values names and values
     */
    public ExecRequest env(Map<String, String> values) {
        return new ExecRequest(command, args, cwd, stdin, timeout, values, envKeys, includeSecrets);
    }

    /**
     * Returns this request with chosen variables of the container.
     *
     * @param names their names
     */
    public ExecRequest envKeys(List<String> names) {
        return new ExecRequest(command, args, cwd, stdin, timeout, env, Optional.of(names), includeSecrets);
    }

    /** {@return this request with secrets among its variables} */
    public ExecRequest withSecrets() {
        return new ExecRequest(command, args, cwd, stdin, timeout, env, envKeys, true);
    }

    /** Omits values, which may be secret. */
    @Override
    public String toString() {
        return "ExecRequest[" + command + ", " + args.size() + " arguments]";
    }

    /** {@return the program's name or path; for {@link ExecBinding#shell} the script} */
    public String command() {
        return command;
    }

    /** {@return its arguments, passed unchanged} */
    public List<String> args() {
        return args;
    }

    /** {@return its directory, as {@code WORKSPACE} names it; the root if absent} */
    public Optional<String> cwd() {
        return cwd;
    }

    /** {@return its standard input; none if absent} */
    public Optional<String> stdin() {
        return stdin;
    }

    /** {@return its time limit, up to 2,147,483,647 ms; zero for none; the policy's if absent} */
    public Optional<Duration> timeout() {
        return timeout;
    }

    /** {@return additional variables} */
    public Map<String, String> env() {
        return env;
    }

    /**
     * {@return the names of the container's variables that it receives; if absent, all public ones that
     * {@link EnvOptions} permits for commands}
     */
    public Optional<List<String>> envKeys() {
        return envKeys;
    }

    /** {@return whether secrets are among them, if the policy permits that} */
    public boolean includesSecrets() {
        return includeSecrets;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof ExecRequest that && parts().equals(that.parts());
    }

    @Override
    public int hashCode() {
        return parts().hashCode();
    }

    private List<Object> parts() {
        return List.of(command, args, cwd, stdin, timeout, env, envKeys, includeSecrets);
    }
}
