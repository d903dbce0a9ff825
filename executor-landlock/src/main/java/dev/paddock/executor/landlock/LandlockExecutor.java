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
 * Runs commands on the host, confined by the kernel's Landlock and seccomp. Needs Linux 5.13 or
 * later, x86-64 or AArch64, and glibc 2.34 or later; no program to install, and no privileges.
 *
 * <p>A command reads the system's programs and libraries, the files that programs look up in
 * {@code /etc} and {@code /dev}, {@code /proc}, the worktree, and the paths that the policy grants;
 * it writes to the worktree, to writable mounts and to its home. It has no capabilities and gains
 * no privileges; its network, unless open, and every unix socket are off. Paths are the same on
 * both sides: the policy check rejects another {@code execCwd}, a mount at another path, and a
 * read-only mount inside a writable one.
 *
 * <p>Defaults: the shell {@code /bin/sh}; the environment {@code PATH}, {@code HOME},
 * {@code TMPDIR}, {@code LANG}, {@code TERM}, and {@code JAVA_TOOL_OPTIONS}, which makes Java use
 * {@code TMPDIR}; two warm slots, which start with the first command; the quarantine
 * {@code $XDG_STATE_HOME/paddock/quarantine} for files that commands add at protected paths.
 *
 * <p><b>What it does not do.</b> It confines contents, but not metadata: a command can see which
 * files exist anywhere, can chmod, chown and date files that the user owns, and can read the
 * command lines of the user's processes. There is no PID namespace: {@link Guarantee#TREE_KILL} is
 * not claimed, and before Linux 6.12 a command can signal the user's other processes. {@code /tmp}
 * is not granted; {@code TMPDIR} lies in the home, which belongs to the executor and is removed
 * with it. Landlock cannot protect paths inside the worktree: the guard restores and reports
 * changed protected files after the command has ended. There is no loopback with the network off.
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
     * Returns a builder with the defaults.
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

    /** Collects an executor's options. Not safe for use by several threads. */
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
         * Sets where commands see the worktree. Landlock maps no paths: any path but the worktree's
         * own is rejected.
         *
         * @param value an absolute path
         * @return this builder
         */
        public Builder execCwd(String value) {
            execCwd = Optional.of(value);
            return this;
        }

        /**
         * Sets the policy, which includes the worktree.
         *
         * @param value the policy
         * @return this builder
         */
        public Builder policy(SandboxPolicy value) {
            policy = Optional.of(value);
            return this;
        }

        /**
         * Sets the directory that receives files which commands add at protected paths.
         *
         * @param directory outside of the directories that commands can write to; created when it
         *     is needed, and left for the user
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
         * Sets the number of warm slots: shells that are started beforehand, confined, and wait for
         * a command.
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

        /**
         * Assumes an older version of the kernel's Landlock or, with a negative error number, a
         * kernel without it.
         */
        Builder asWithVersion(int value) {
            version = OptionalInt.of(value);
            return this;
        }

        /**
         * Creates the executor.
         *
         * @return the executor; owned by the caller
         * @throws SandboxUnavailableException if this machine's kernel or C library cannot confine
         *     commands
         * @throws UnsupportedPolicyException if Landlock cannot enforce the policy
         * @throws IllegalArgumentException if there is neither a policy nor a worktree, or both, or
         *     the worktree is no directory
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
