package dev.paddock.harness.guest.session;

import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.ExecutorOptions;
import dev.paddock.executor.ExecutorProviders;
import dev.paddock.executor.policy.Enforcement;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.policy.ProtectedPaths;
import dev.paddock.executor.policy.ResourceLimits;
import dev.paddock.executor.policy.SandboxPolicy;
import dev.paddock.harness.guest.GuestOptions;
import dev.paddock.harness.guest.bridge.ClassTraining;
import dev.paddock.harness.guest.bridge.EngineFiles;
import java.util.Optional;

/** Opens the sandboxes of a session's guests, and trains their class cache if there is none. */
final class GuestSandboxes {
    /** The limit of all guests of a session: a backend applies it to the executor, not to each command. */
    private static final long SESSION_BYTES = 5L << 30;

    private static final int SESSION_PROCESSES = 4_096; // including threads; a JVM has about a dozen

    private final GuestOptions options;
    private final EngineFiles files;

    GuestSandboxes(GuestOptions options, EngineFiles files) {
        this.options = options;
        this.files = files;
    }

    /** Opens the sandbox of the guests. */
    CommandExecutor open() {
        return open(policy(files.worktree())
                .limits(ResourceLimits.none()
                        .withMemory(SESSION_BYTES)
                        .withProcesses(SESSION_PROCESSES)
                        .withDemand(Enforcement.BEST_EFFORT))
                .build());
    }

    private SandboxPolicy.Builder policy(PathMapping worktree) {
        SandboxPolicy.Builder policy = SandboxPolicy.builder(worktree)
                .protectedPaths(ProtectedPaths.standard().withDemand(Enforcement.BEST_EFFORT));
        files.mounts().forEach(policy::mount);
        return policy;
    }

    private CommandExecutor open(SandboxPolicy policy) {
        ExecutorOptions wanted = ExecutorOptions.of(policy);
        return options.executor()
                .map(factory -> factory.create(wanted))
                .orElseGet(() -> ExecutorProviders.open(options.backend(), wanted.settings(options.settings())));
    }

    /**
     * Starts the training on its own thread if the class cache is missing and a backend is named.
     *
     * @return the thread
     */
    Optional<Thread> train() {
        if (options.executor().isPresent() || !files.lacksClassCache()) { // a factory creates only one executor
            return Optional.empty();
        }
        Thread thread = new Thread(
                null,
                () -> ClassTraining.run(files, worktree -> open(policy(worktree).build())),
                "paddock-guest-training",
                0,
                false);
        thread.setDaemon(true);
        thread.start();
        return Optional.of(thread);
    }
}
