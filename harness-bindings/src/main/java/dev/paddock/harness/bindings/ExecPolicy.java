package dev.paddock.harness.bindings;

import dev.paddock.harness.tools.command.AllowList;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Selects the commands that {@code EXEC} runs. Immutable. There is no default: code chooses {@link #none},
 * {@link #only} or {@link #anyProgram}.
 *
 * @since 0.1
 */
public final class ExecPolicy {
    /** The time limit of a command that sets none, if the policy sets none: 30 seconds. */
    public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(30);

    private final boolean enabled;
    private final Optional<Set<String>> allowed;
    private final boolean shell;
    private final boolean secrets;
    private final Duration timeout;

    private ExecPolicy(
            boolean enabled, Optional<Set<String>> allowed, boolean shell, boolean secrets, Duration timeout) {
        allowed = allowed.map(Set::copyOf);
        allowed.ifPresent(AllowList::new);
        if (timeout.isZero() || timeout.isNegative()) {
            throw new IllegalArgumentException("the time limit of commands must be more than zero, not " + timeout);
        }
        this.enabled = enabled;
        this.allowed = allowed;
        this.shell = shell;
        this.secrets = secrets;
        this.timeout = timeout;
    }

    /** {@return the policy that runs no command} */
    public static ExecPolicy none() {
        return new ExecPolicy(false, Optional.empty(), false, false, DEFAULT_TIMEOUT);
    }

    /**
     * Returns the policy that runs some programs.
     *
     * @param programs names or paths, as a request writes them; none runs nothing
     * @return the policy
     * @throws IllegalArgumentException if one is not a name or path
     */
    public static ExecPolicy only(Collection<String> programs) {
        return new ExecPolicy(true, Optional.of(Set.copyOf(programs)), false, false, DEFAULT_TIMEOUT);
    }

    /** {@return the policy that runs every program} */
    public static ExecPolicy anyProgram() {
        return new ExecPolicy(true, Optional.empty(), false, false, DEFAULT_TIMEOUT);
    }

    /** {@return this policy with shell scripts permitted} */
    public ExecPolicy withShell() {
        return new ExecPolicy(enabled, allowed, true, secrets, timeout);
    }

    /** {@return this policy with secrets permitted in the environment of commands that ask for them} */
    public ExecPolicy withSecrets() {
        return new ExecPolicy(enabled, allowed, shell, true, timeout);
    }

    /**
     * Returns this policy with another time limit of commands that set none.
     *
     * @param value more than zero
     * @return the policy
     * @throws IllegalArgumentException if it is not more than zero
     */
    public ExecPolicy timeout(Duration value) {
        return new ExecPolicy(enabled, allowed, shell, secrets, value);
    }

    /** {@return whether any command runs} */
    public boolean isEnabled() {
        return enabled;
    }

    /** {@return the programs that run, compared with {@link ExecRequest#command()} as written; all if absent} */
    public Optional<Set<String>> allowed() {
        return allowed;
    }

    /**
     * {@return whether {@link ExecBinding#shell} is permitted; if programs are listed, a script must be
     * one of them with plain arguments}
     */
    public boolean allowsShell() {
        return shell;
    }

    /** {@return whether a command may receive secrets in its environment} Its caller can read them in its output. */
    public boolean allowsSecrets() {
        return secrets;
    }

    /** {@return the time limit of a command that sets none; more than zero} */
    public Duration timeout() {
        return timeout;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof ExecPolicy that && parts().equals(that.parts());
    }

    @Override
    public int hashCode() {
        return parts().hashCode();
    }

    @Override
    public String toString() {
        return "ExecPolicy" + parts();
    }

    private List<Object> parts() {
        return List.of(enabled, allowed, shell, secrets, timeout);
    }
}
