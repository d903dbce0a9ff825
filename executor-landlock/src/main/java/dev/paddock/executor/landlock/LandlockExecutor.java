package dev.paddock.executor.landlock;

import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.Guarantee;
import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.SandboxUnavailableException;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.UnsupportedPolicyException;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.policy.SandboxPolicy;
import dev.paddock.executor.sandbox.worktree.Quarantine;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * Runs commands on the host, confined by the kernel's Landlock and seccomp. Linux 5.13 or later, x86-64 or AArch64, glibc 2.34
 * or later; nothing to install, and no privileges needed.
 *
 * <p>A command reads the system's programs and libraries, what programs look up in {@code /etc} and {@code /dev},
 * {@code /proc}, the worktree, and what the policy grants; it writes to the worktree, to writable mounts and to its home. It
 * has no capabilities and gains no privileges; its network, unless open, and every unix socket are off. Paths are the same on
 * both sides; another {@code execCwd} is refused, and so is a mount at another path, or read-only inside of what is writable.
 *
 * <p>Defaults: the shell {@code /bin/sh}; the environment {@code PATH}, {@code HOME}, {@code TMPDIR}, {@code LANG},
 * {@code TERM}, and {@code JAVA_TOOL_OPTIONS}, which leads Java to {@code TMPDIR}; two shells are kept confined and waiting for the next commands, from the first command on; what commands add
 * at protected paths goes to {@code $XDG_STATE_HOME/paddock/quarantine}.
 *
 * <p><b>What it does not do.</b> Contents are confined, metadata are not: a command can see which files there are anywhere,
 * and what the user owns it can chmod, chown and date; the command lines of the user's processes can be read. The process
 * space is the host's: {@link Guarantee#TREE_KILL} is not claimed, and before Linux 6.12 a command can signal the user's other
 * processes. {@code /tmp} is not granted; {@code TMPDIR} lies in the home, which belongs to the executor and ends with it. Nothing
 * can be protected inside the worktree: changed protected files are restored and reported when the command has ended. There is
 * no loopback with the network off.
 */
public final class LandlockExecutor implements CommandExecutor {
    static final String NAME = "landlock";

    private final LandlockSandbox sandbox;
    private final Set<Guarantee> guarantees;

    LandlockExecutor(LandlockSandbox sandbox, Set<Guarantee> guarantees) {
        this.sandbox = sandbox;
        this.guarantees = guarantees;
    }

    /**
     * A builder with the defaults.
     *
     * @return the builder
     */
    public static Builder builder() {
        return new Builder();
    }

    @Override
    public ProcessLike spawn(String command, SpawnOptions options) {
        return sandbox.spawn(command, options);
    }

    @Override
    public void dispose() {
        sandbox.dispose();
    }

    @Override
    public Set<Guarantee> guarantees() {
        return guarantees;
    }

    @Override
    public String name() {
        return NAME;
    }

    /** Collects what an executor is made of. Not safe for use by several threads. */
    public static final class Builder {
        private Optional<Path> worktree = Optional.empty();
        private Optional<String> execCwd = Optional.empty();
        private Optional<SandboxPolicy> policy = Optional.empty();
        private Path quarantine = Quarantine.standard();
        private String shell = "/bin/sh";
        private int warmSlots = 2;
        private OptionalInt version = OptionalInt.empty();

        private Builder() {}

        /**
         * Sets the worktree, under the default policy.
         *
         * @param value a directory, absolute
         * @return this builder
         */
        public Builder worktree(Path value) {
            worktree = Optional.of(value);
            return this;
        }

        /**
         * Sets where commands see the worktree. Landlock maps nothing: what is not the worktree's own path is refused.
         *
         * @param value an absolute path
         * @return this builder
         */
        public Builder execCwd(String value) {
            execCwd = Optional.of(value);
            return this;
        }

        /**
         * Sets the policy, and with it the worktree.
         *
         * @param value the policy
         * @return this builder
         */
        public Builder policy(SandboxPolicy value) {
            policy = Optional.of(value);
            return this;
        }

        /**
         * Sets where the files go that commands add at protected paths.
         *
         * @param directory outside of what commands can write; made when it is needed, and left for the user
         * @return this builder
         */
        public Builder quarantine(Path directory) {
            quarantine = directory;
            return this;
        }

        /**
         * Sets the commands' shell.
         *
         * @param program the absolute path of a POSIX shell that commands can read
         * @return this builder
         */
        public Builder shell(String program) {
            shell = program;
            return this;
        }

        /**
         * Sets how many shells are kept waiting for the next commands.
         *
         * @param number 0 for none
         * @return this builder
         * @throws IllegalArgumentException if it is negative
         */
        public Builder warmSlots(int number) {
            if (number < 0) {
                throw new IllegalArgumentException("the number of warm slots is negative: " + number);
            }
            warmSlots = number;
            return this;
        }

        /** Does as if the kernel's Landlock were of an older version, or, with a negative error number, were not there. */
        Builder asWithVersion(int value) {
            version = OptionalInt.of(value);
            return this;
        }

        /**
         * Makes the executor.
         *
         * @return the executor; owned by the caller
         * @throws SandboxUnavailableException if this machine's kernel or C library cannot confine commands
         * @throws UnsupportedPolicyException if Landlock cannot enforce the policy
         * @throws IllegalArgumentException if there is neither a policy nor a worktree, or both, or the worktree is no
         *     directory
         */
        public LandlockExecutor build() {
            return new LandlockExecutorFactory(sandboxPolicy(), quarantine, shell, version).make(warmSlots);
        }

        private SandboxPolicy sandboxPolicy() {
            if (policy.isPresent() == worktree.isPresent()) {
                throw new IllegalArgumentException("a Landlock executor wants either a policy or a worktree");
            }
            if (policy.isPresent()) {
                execCwd.filter(path -> !path.equals(policy.get().worktree().commandPath()))
                        .ifPresent(path -> {
                            throw new IllegalArgumentException(
                                    "execCwd is '" + path + "', but the policy's worktree is at '"
                                            + policy.get().worktree().commandPath() + "'");
                        });
                return policy.get();
            }
            Path host = worktree.orElseThrow();
            return SandboxPolicy.builder(new PathMapping(
                            host, execCwd.orElse(host.normalize().toString())))
                    .build();
        }
    }
}
