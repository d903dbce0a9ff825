package dev.paddock.executor.seatbelt;

import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.ExecutorOptions;
import dev.paddock.executor.Guarantee;
import dev.paddock.executor.HostApprover;
import dev.paddock.executor.HostConnection;
import dev.paddock.executor.SandboxUnavailableException;
import dev.paddock.executor.UnsupportedPolicyException;
import dev.paddock.executor.network.ConnectionOptions;
import dev.paddock.executor.sandbox.local.LocalExecutor;
import dev.paddock.executor.sandbox.local.SandboxBuilder;
import dev.paddock.executor.sandbox.local.SandboxOptions;
import java.util.function.Consumer;

/**
 * Runs commands on macOS, confined by {@code sandbox-exec} under a profile that is compiled from
 * the policy.
 *
 * <p><b>It has not been run on macOS yet.</b> An evaluator of the profile language tests the
 * profiles, and a stand-in for {@code sandbox-exec} tests everything around them; how macOS treats
 * either has not been observed.
 *
 * <p>A command reads the system's programs and libraries and the files that those look up, the
 * worktree, and the paths that the policy grants; it writes to the worktree, to writable mounts and
 * to its home. Unless the policy opens it, the network is off, and so is every Unix socket except the one that
 * resolves names. With allowed hosts it reaches one loopback port, on which a proxy in the JVM
 * listens, and has the variables that name it: programs that ignore them reach nothing. Of the system's
 * services it reaches those that every program needs. The profile denies changes to protected paths of
 * the worktree, whether or not they exist. Paths are the same on both sides: the policy check rejects
 * another {@code execCwd}, and a mount at another path.
 *
 * <p>Defaults: the shell {@code /bin/sh}; the environment {@code PATH}, {@code HOME},
 * {@code TMPDIR}, {@code LANG}, {@code TERM}, {@code GEM_HOME} and {@code JAVA_TOOL_OPTIONS}, which makes Java use
 * {@code HOME} and {@code TMPDIR}; two warm slots, which start with the first command; the quarantine
 * {@code $XDG_STATE_HOME/paddock/quarantine} for files that commands add at protected paths
 * despite the profile.
 *
 * <p><b>What it does not do.</b> A descendant that has left its command's session and lost its
 * parents can be found only by its environment, and macOS hides the environment of Apple's own
 * programs: neither {@link Guarantee#TREE_KILL} nor {@link Guarantee#DIES_WITH_HOST} is claimed.
 * Where the native launch mechanism failed its self-test and the JDK starts processes instead, they
 * get no session, and nothing ends the commands of a JVM that was killed;
 * {@link Guarantee#EXACT_STATUS} is not claimed then. A command can read the arguments and the
 * environment of the user's other programs ({@link Guarantee#ENV_CONFINED}); the kernel consults no
 * profile about that. {@code /tmp} is not granted; {@code TMPDIR} lies in the home, which belongs
 * to the executor and is removed with it. There is no loopback with the network off. The only limit
 * is the one on a file's size, in steps of 512 bytes.
 *
 * @since 0.1
 */
public final class SeatbeltExecutor extends LocalExecutor {
    static final String NAME = "seatbelt";

    static final String REMEDY = "Use the docker backend, and report this: the profile has not been run on macOS yet.";

    private final SeatbeltSandbox sandbox;

    SeatbeltExecutor(SeatbeltSandbox sandbox, CommandExecutor commands) {
        super(commands);
        this.sandbox = sandbox;
    }

    /**
     * Returns a builder with the defaults.
     *
     * @return the builder
     */
    public static Builder builder() {
        return new Builder();
    }

    /** Compiles the profile that confines a command started now. */
    SeatbeltProfile profile() {
        return sandbox.plan();
    }

    /** Collects an executor's options. Not safe for use by several threads. */
    public static final class Builder extends SandboxBuilder<Builder> {
        private final ConnectionOptions connections = new ConnectionOptions();
        private MacSandbox program = MacSandbox.OF_THIS_MACHINE;

        private Builder() {}

        /**
         * Assumes that this machine is, or is not, a Mac with this program as its
         * {@code sandbox-exec}.
         */
        Builder with(MacSandbox value) {
            program = value;
            return this;
        }

        /**
         * Adds an observer of the connections that commands make: {@link ExecutorOptions#onConnection}.
         *
         * @param observer called by the thread of the connection; must neither wait nor throw
         * @return this builder; building it refuses a policy whose network is open
         */
        public Builder onConnection(Consumer<HostConnection> observer) {
            connections.onConnection(observer);
            return this;
        }

        /**
         * Sets the approver of connections to hosts that the policy does not name: {@link
         * ExecutorOptions#approveHosts}.
         *
         * @param approver decides
         * @return this builder; building it refuses a policy without a network of allowed hosts
         */
        public Builder approveHosts(HostApprover approver) {
            connections.approveHosts(approver);
            return this;
        }

        /** Takes the observers and the approver of a provider's options. */
        Builder connections(ExecutorOptions options) {
            connections.addAll(options);
            return this;
        }

        /**
         * Creates the executor.
         *
         * @return the executor; owned by the caller
         * @throws SandboxUnavailableException if this is not macOS, or has no {@code sandbox-exec}, or a
         *     command under the profile reaches more than the allowed hosts' proxy
         * @throws UnsupportedPolicyException if a profile cannot enforce the policy
         * @throws IllegalArgumentException if there is neither a policy nor a worktree, or both, or
         *     the worktree is no directory; or if the policy's network does not fit
         *     an observer or an approver that was given
         */
        public SeatbeltExecutor build() {
            SandboxOptions options = options();
            ExecutorOptions observed = connections.of(options.policy());
            program.problem().ifPresent(problem -> {
                throw new SandboxUnavailableException(NAME, problem);
            });
            SeatbeltExecutor executor = new SeatbeltExecutorFactory(options, program.program()).create();
            executor.sandbox.network().ifPresent(network -> network.register(observed));
            return executor;
        }

        @Override
        protected Builder self() {
            return this;
        }
    }
}
