package dev.paddock.executor.bwrap;

import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.Guarantee;
import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.SandboxUnavailableException;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.policy.SandboxPolicy;
import dev.paddock.executor.sandbox.spawn.SandboxedSpawner;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Runs commands in bubblewrap sandboxes on Linux, each in namespaces of its own. A command sees the
 * worktree, the parts of the system that programs need, the paths that the
 * {@linkplain SandboxPolicy policy} grants, and no other file or process of the machine.
 *
 * <p>Defaults:
 * <ul>
 *   <li>the worktree at its own path, writable, its protected paths read-only
 *   <li>no network; loopback, {@code /tmp} and {@code $HOME} belong to the executor, are the same
 *       for all its commands, and are removed with it
 *   <li>no capability, no new privileges, a filter of system calls, no more than 512 processes
 *   <li>{@code PATH}, {@code HOME}, {@code USER}, {@code LOGNAME}, {@code LANG} and {@code TERM} in
 *       the environment, and the policy's variables
 *   <li>two warm slots
 * </ul>
 *
 * <p>A sandbox ends with its command's main process: the kernel kills the processes that the
 * command has left running, without TERM (C8). No descendant of a command can leave its sandbox:
 * {@link Guarantee#TREE_KILL}.
 *
 * <p>Needs bubblewrap, util-linux, user namespaces and glibc 2.34; as root or as an ordinary user.
 */
public final class BwrapExecutor implements CommandExecutor {
    private static final String SHELL = "/bin/sh";
    private static final long DISPOSAL_SECONDS = 10;

    private final BwrapResources site;
    private final BwrapBackend backend;
    private final SandboxedSpawner<BwrapBackend.Plan> spawner;
    private final Map<String, String> environment;
    private final CompletableFuture<Void> disposal = new CompletableFuture<>();
    private final AtomicBoolean disposed = new AtomicBoolean();

    BwrapExecutor(BwrapResources site, int slotCount, Map<String, String> environment) {
        this.site = site;
        this.environment = Map.copyOf(environment);
        backend = new BwrapBackend(site, this::lose);
        spawner = new SandboxedSpawner<>(BwrapProvider.NAME, SHELL, slotCount, backend);
        Optional<NetworkNamespaceHolder> unused = backend.joined(); // starts the holder now
    }

    private void lose(String reason) {
        spawner.lose(reason);
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
    public String name() {
        return BwrapProvider.NAME;
    }

    @Override
    public Set<Guarantee> guarantees() {
        return site.guarantees();
    }

    @Override
    public ProcessLike spawn(String command, SpawnOptions options) {
        Map<String, String> base = new HashMap<>(environment);
        base.put(MARKER, site.supervisor().newMarker());
        return spawner.spawn(command, options, base);
    }

    /** Returns the executor's own directories. */
    Path rooms() {
        return site.rooms();
    }

    /** Returns the id of the process that holds the commands' shared network namespace. */
    long holderPid() {
        return backend.joined().orElseThrow().pid();
    }

    /** Disposes of the executor once; a second call waits for the first. */
    @Override
    public void dispose() {
        if (!disposed.compareAndSet(false, true)) {
            disposal.copy()
                    .completeOnTimeout(null, DISPOSAL_SECONDS, TimeUnit.SECONDS)
                    .join();
            return;
        }
        try {
            spawner.close();
        } finally {
            try {
                site.close();
            } finally {
                disposal.complete(null);
            }
        }
    }

    /** Collects an executor's options. Not safe for use by several threads. */
    public static final class Builder {
        private Optional<Path> worktree = Optional.empty();
        private Optional<String> execCwd = Optional.empty();
        private Optional<SandboxPolicy> policy = Optional.empty();
        private Optional<Path> program = Optional.empty();
        private Optional<Path> quarantine = Optional.empty();
        private int warmSlots = 2;

        private Builder() {}

        /**
         * Sets the directory that commands work in; the rest of the policy is the default. Not
         * together with {@link #policy}.
         *
         * @param value a directory of the host, absolute
         * @return this builder
         */
        public Builder worktree(Path value) {
            worktree = Optional.of(value);
            return this;
        }

        /**
         * Sets where commands see the worktree; by default at its own path. Not together with
         * {@link #policy}.
         *
         * @param value a path on the command's side, absolute
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
         * Sets the bubblewrap to use; by default {@code bwrap} from the system's directories, then
         * from the {@code PATH}.
         *
         * @param value the program, absolute
         * @return this builder
         */
        public Builder program(Path value) {
            program = Optional.of(value);
            return this;
        }

        /**
         * Sets the directory that receives files which commands have put at protected paths; the
         * files stay there for the user. By default {@code $XDG_STATE_HOME/paddock/quarantine}, in
         * a directory for each executor that quarantines a file.
         *
         * @param value a directory of the host; created when it is needed
         * @return this builder
         */
        public Builder quarantine(Path value) {
            quarantine = Optional.of(value);
            return this;
        }

        /**
         * Sets the number of warm slots: sandboxes that are started beforehand and wait for a
         * command.
         *
         * @param value 0 to 8; 2 by default
         * @return this builder
         * @throws IllegalArgumentException if it is another number
         */
        public Builder warmSlots(int value) {
            if (value < 0 || value > 8) {
                throw new IllegalArgumentException("the number of warm slots is not within 0 to 8: " + value);
            }
            warmSlots = value;
            return this;
        }

        /**
         * Creates the executor.
         *
         * @return the executor; the caller disposes of it
         * @throws IllegalArgumentException if neither a worktree nor a policy is set, or both are,
         *     or the worktree is no directory
         * @throws SandboxUnavailableException if bubblewrap cannot be used here
         * @throws dev.paddock.executor.UnsupportedPolicyException if the policy requires
         *     enforcement that this machine does not support
         */
        public BwrapExecutor build() {
            SandboxPolicy wanted = policy.orElseGet(this::defaults);
            if (policy.isPresent() && (worktree.isPresent() || execCwd.isPresent())) {
                throw new IllegalArgumentException(
                        "the policy names the worktree already: set either the policy, or worktree and execCwd");
            }
            BwrapResources site = BwrapResources.create(wanted, program, quarantine);
            try {
                return new BwrapExecutor(site, warmSlots, site.environment());
            } catch (RuntimeException fault) {
                site.close();
                throw fault;
            }
        }

        private SandboxPolicy defaults() {
            Path directory = worktree.orElseThrow(
                    () -> new IllegalArgumentException("set the worktree, or a policy: commands need a directory"));
            return SandboxPolicy.builder(execCwd.map(path -> new PathMapping(directory, path))
                            .orElseGet(() -> PathMapping.same(directory)))
                    .build();
        }
    }
}
