package dev.paddock.executor.landlock;

import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.Guarantee;
import dev.paddock.executor.SandboxUnavailableException;
import dev.paddock.executor.UnsupportedPolicyException;
import dev.paddock.executor.sandbox.local.LocalExecutor;
import dev.paddock.executor.sandbox.local.SandboxBuilder;
import java.util.OptionalInt;

/**
 * Runs commands on the host, confined by the kernel's Landlock and seccomp. Needs Linux 5.13 or later, x86-64 or
 * AArch64, and glibc 2.34 or later; no program to install, and no privileges.
 *
 * <p>A command reads the system's programs and libraries, the files that programs need in {@code /etc} and {@code
 * /dev}, {@code /proc}, the worktree, and the paths that the policy grants; it writes to the worktree, to writable
 * mounts and to its home. It has no capabilities and gains no privileges; its network, unless open, and every unix
 * socket are off. Paths are the same on both sides: the policy check rejects another {@code execCwd}, a mount at
 * another path, and a read-only mount inside a writable one.
 *
 * <p>Defaults: the shell {@code /bin/sh}; the environment {@code PATH}, {@code HOME}, {@code TMPDIR}, {@code LANG},
 * {@code TERM}, {@code GEM_HOME} and {@code JAVA_TOOL_OPTIONS}, which points Java to {@code HOME} and {@code TMPDIR};
 * two warm slots, which start with the first command; the quarantine {@code $XDG_STATE_HOME/paddock/quarantine} for
 * files that commands add at protected paths.
 *
 * <p><b>What it does not do.</b> It confines contents, but not metadata: a command can see which files exist anywhere,
 * can chmod, chown and touch the user's files, and can read the command lines of the user's processes. There is no PID
 * namespace: {@link Guarantee#TREE_KILL} is not claimed, and before Linux 6.12 a command can signal the user's other
 * processes. {@code /tmp} is not granted; {@code TMPDIR} lies in the home, which belongs to the executor and is removed
 * with it. A command with a terminal can open that one and {@code /dev/tty}, but cannot create another, which {@code
 * script} and {@code tmux} need. Landlock cannot protect paths inside the worktree: the guard restores and reports
 * changed protected files after the command has ended. There is no loopback with the network off.
 *
 * @since 0.1
 */
public final class LandlockExecutor extends LocalExecutor {
    static final String NAME = "landlock";

    LandlockExecutor(CommandExecutor commands) {
        super(commands);
    }

    /**
     * Returns a builder with the defaults.
     *
     * @return the builder
     */
    public static Builder builder() {
        return new Builder();
    }

    /** Collects an executor's options. Not thread-safe. */
    public static final class Builder extends SandboxBuilder<Builder> {
        private OptionalInt version = OptionalInt.empty();

        private Builder() {}

        /** Assumes an older version of Landlock or, with a negative error number, none. */
        Builder asWithVersion(int value) {
            version = OptionalInt.of(value);
            return this;
        }

        /**
         * Creates the executor.
         *
         * @return the executor; owned by the caller
         * @throws SandboxUnavailableException if this machine's kernel or C library cannot confine commands
         * @throws UnsupportedPolicyException if Landlock cannot enforce the policy
         * @throws IllegalArgumentException if neither or both of policy and worktree are set, or the worktree is no
         *     directory
         */
        public LandlockExecutor build() {
            return new LandlockExecutorFactory(options(), version).create();
        }

        @Override
        protected Builder self() {
            return this;
        }
    }
}
