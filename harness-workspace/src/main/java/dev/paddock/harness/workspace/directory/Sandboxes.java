package dev.paddock.harness.workspace.directory;

import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.CommandResult;
import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.ExecutorOptions;
import dev.paddock.executor.ExecutorProvider;
import dev.paddock.executor.ExecutorProviders;
import dev.paddock.executor.RunOptions;
import dev.paddock.executor.SandboxLostException;
import dev.paddock.executor.SandboxUnavailableException;
import dev.paddock.executor.policy.SandboxPolicy;
import dev.paddock.harness.workspace.provider.WorkspaceFailedException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/** Chooses the backend of a workspace, and starts its sandbox by a first command. */
final class Sandboxes {
    static final String ISOLATION = "isolation";
    private static final String CLAIM = "claim";
    private static final String CLAIM_NAME = "claimName";
    private static final Duration FIRST_COMMAND = Duration.ofSeconds(30);

    private final WorkspaceKind kind;
    private final Supplier<List<ExecutorProvider>> installed;
    private final UnaryOperator<ExecutorOptions> options;

    Sandboxes(WorkspaceKind kind, Supplier<List<ExecutorProvider>> installed, UnaryOperator<ExecutorOptions> options) {
        this.kind = kind;
        this.installed = installed;
        this.options = options;
    }

    /**
     * Checks the settings that are not passed to a backend.
     *
     * @throws IllegalArgumentException if a setting would lead commands elsewhere
     */
    void check(Map<String, String> settings) {
        for (String running : List.of("container", "pod", "sandbox", CLAIM_NAME)) {
            if (settings.containsKey(running) && !(isClaimed(settings) && running.equals("container"))) {
                throw new IllegalArgumentException("a workspace has a " + running
                        + " of its own: name an image, not the " + running + " '" + settings.get(running) + "'");
            }
        }
        if (kind.needsImage()
                && !isClaimed(settings)
                && settings.getOrDefault("image", "").isBlank()) {
            throw new IllegalArgumentException("a workspace of the kind '" + kind.word() + "' needs the setting 'image'"
                    + (kind.hasClaims() ? ", or 'claim' with a template" : ""));
        }
        String pinned = settings.getOrDefault(ISOLATION, ExecutorProviders.AUTO);
        if (!pinned.equals(ExecutorProviders.AUTO) && !kind.backends().contains(pinned)) {
            throw new IllegalArgumentException("the kind '" + kind.word() + "' lacks the isolation '" + pinned
                    + "'; it has auto, " + String.join(", ", kind.backends()));
        }
    }

    /**
     * Starts a sandbox, and runs a trivial command to prove that it works.
     *
     * @return the executor; the caller disposes of it
     * @throws WorkspaceFailedException if no usable sandbox can enforce the policy
     * @throws IllegalArgumentException if a setting is unknown or malformed
     */
    CommandExecutor start(SandboxPolicy policy, WorkspaceRecord record) {
        check(record.config().settings()); // also for an edited record
        Map<String, String> own = settings(record);
        String pinned = Optional.ofNullable(own.remove(ISOLATION)).orElse(ExecutorProviders.AUTO);
        try {
            CommandExecutor executor = create(pinned, policy, own);
            try {
                tryOut(executor, policy);
                return executor;
            } catch (RuntimeException | Error fault) {
                executor.dispose();
                throw fault;
            }
        } catch (SandboxUnavailableException unavailable) {
            throw new WorkspaceFailedException(
                    unusable(String.valueOf(unavailable.getMessage())), unavailable.isTransient(), unavailable);
        } catch (SandboxLostException lost) {
            throw failed(lost, true);
        } catch (ExecutorException fault) {
            throw failed(fault, false);
        }
    }

    private boolean isClaimed(Map<String, String> settings) {
        return kind.hasClaims() && settings.containsKey(CLAIM);
    }

    /** Returns the backend's settings. A claim's name is the workspace's id, so that it can be found later. */
    private Map<String, String> settings(WorkspaceRecord record) {
        Map<String, String> own = new HashMap<>(record.config().settings());
        if (isClaimed(own)) {
            own.put(CLAIM_NAME, "paddock-" + record.id());
        }
        return own;
    }

    /**
     * Returns the parts of a workspace that exist outside of its directory and outlive its
     * executors.
     */
    WorkspaceDirectory.Kept kept(WorkspaceRecord record) {
        Map<String, String> own = settings(record);
        return isClaimed(own)
                ? new WorkspaceDirectory.Kept(
                        () -> end(ExecutorProvider::suspend, own), () -> end(ExecutorProvider::discard, own))
                : WorkspaceDirectory.Kept.NOTHING;
    }

    private void end(BiConsumer<ExecutorProvider, Map<String, String>> action, Map<String, String> settings) {
        try {
            installed(kind.backends()).forEach(provider -> action.accept(provider, settings));
        } catch (ExecutorException fault) {
            throw failed(fault, true);
        }
    }

    private List<ExecutorProvider> installed(List<String> permitted) {
        List<ExecutorProvider> candidates = installed.get().stream()
                .filter(provider -> permitted.contains(provider.name()))
                .toList();
        if (candidates.isEmpty()) {
            throw new WorkspaceFailedException(unusable("none of its backends is installed ("
                    + String.join(", ", permitted) + "); put one of them on the class path"));
        }
        return candidates;
    }

    private CommandExecutor create(String pinned, SandboxPolicy policy, Map<String, String> settings) {
        List<String> permitted = pinned.equals(ExecutorProviders.AUTO) ? kind.backends() : List.of(pinned);
        return ExecutorProviders.auto(
                installed(permitted), options.apply(ExecutorOptions.of(policy).settings(settings)));
    }

    private String unusable(String why) {
        return "no sandbox for the kind '" + kind.word() + "' can be used on " + System.getProperty("os.name") + ": "
                + why;
    }

    private static void tryOut(CommandExecutor executor, SandboxPolicy policy) {
        try {
            RunOptions options = RunOptions.in(policy.worktree().commandPath()).timeout(FIRST_COMMAND);
            CommandResult result = executor.run(":", options);
            if (!result.succeeded()) {
                throw WorkspaceFailedException.passing(
                        "the workspace's sandbox does not run commands: a first one ended as " + result + " "
                                + result.errText().strip());
            }
        } catch (InterruptedException interrupt) {
            Thread.currentThread().interrupt();
            throw WorkspaceFailedException.passing("interrupted while the workspace's sandbox was started");
        }
    }

    private static WorkspaceFailedException failed(ExecutorException fault, boolean isTransient) {
        return new WorkspaceFailedException(String.valueOf(fault.getMessage()), isTransient, fault);
    }
}
