package dev.paddock.executor.sandbox.backend;

import dev.paddock.executor.Availability;
import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.ExecutorProvider;
import dev.paddock.executor.ExitStatus;
import dev.paddock.executor.Guarantee;
import dev.paddock.executor.SandboxUnavailableException;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.UnsupportedPolicyException;
import dev.paddock.executor.log.LateLogger;
import dev.paddock.executor.os.io.DaemonThreads;
import dev.paddock.executor.path.FileFaults;
import dev.paddock.executor.policy.Mount;
import dev.paddock.executor.policy.NetworkPolicy;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.policy.SandboxPolicy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * Probes a sandbox with a command that writes a file to its worktree and tries to write one next to the worktree: a
 * sandbox that allows that confines nothing.
 */
public final class SandboxProbe {
    /** The default bound of a probe with the default policy. */
    public static final Duration BOUND = Duration.ofSeconds(5);

    /** The bound of a probe with a given policy, whose worktree and mounts may be large. */
    private static final Duration POLICY_BOUND = Duration.ofSeconds(30);

    private static final String INSIDE = "inside";

    private static final System.Logger LOG = LateLogger.of(SandboxProbe.class);

    private final ExecutorProvider provider;
    private final String remedy;
    private final Supplier<String> version;
    private final ProbedExecutors executors = new ProbedExecutors();

    private SandboxProbe(ExecutorProvider provider, String remedy, Supplier<String> version) {
        this.provider = provider;
        this.remedy = remedy;
        this.version = version;
    }

    /**
     * Runs the command with an executor under the default policy.
     *
     * @param provider creates the executor; takes the setting {@code warmSlots}
     * @param remedy what the user can do if commands do not run, a sentence
     * @param version describes the sandbox after a command has run in it
     * @param settings the backend's settings
     * @param bound how long it may take
     * @return whether the backend can be used here, and the guarantees of its executor
     */
    public static Availability run(
            ExecutorProvider provider,
            String remedy,
            Supplier<String> version,
            Map<String, String> settings,
            Duration bound) {
        SandboxProbe probe = new SandboxProbe(provider, remedy, version);
        Map<String, String> cold = new HashMap<>(settings);
        cold.put("warmSlots", "0");
        return probe.within(bound, () -> probe.probe(cold));
    }

    /**
     * Runs a command, within 30 seconds, with an executor under a policy. The command tries to write a file of a
     * directory that the policy does not grant, and leaves the worktree unchanged.
     *
     * @param provider creates the executor
     * @param remedy what the user can do if commands do not run, a sentence
     * @param version describes the sandbox after a command has run in it
     * @param settings the backend's settings
     * @return whether the backend can be used with them, and the guarantees of its executor
     */
    public static Availability run(
            ExecutorProvider provider,
            String remedy,
            Supplier<String> version,
            SandboxPolicy policy,
            Map<String, String> settings) {
        SandboxProbe probe = new SandboxProbe(provider, remedy, version);
        return probe.within(POLICY_BOUND, () -> probe.probe(policy, settings));
    }

    private Availability within(Duration bound, Supplier<Availability> probe) {
        CompletableFuture<Availability> answer = CompletableFuture.supplyAsync(
                probe,
                task -> DaemonThreads.platform("paddock-" + provider.name() + "-probe")
                        .start(task));
        try {
            return answer.get(bound.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException late) {
            executors.abandon(answer);
            return undecided("a sandboxed command did not end within " + bound.toSeconds() + " s");
        } catch (ExecutionException fault) {
            return failed(Optional.ofNullable(fault.getCause()).orElse(fault));
        } catch (InterruptedException stopped) {
            executors.abandon(answer);
            Thread.currentThread().interrupt();
            return undecided("the probe was interrupted");
        }
    }

    /** A machine may be short of resources temporarily; any other failure is Paddock's own and permanent. */
    private Availability failed(Throwable cause) {
        if (cause instanceof IllegalArgumentException malformed) {
            throw malformed;
        }
        String reason = "a sandboxed command could not be run: ";
        return cause instanceof ExecutorException || cause instanceof VirtualMachineError
                ? undecided(reason + cause.getMessage())
                : new Availability.Unusable(reason + cause, remedy);
    }

    private Availability undecided(String reason) {
        return new Availability.Unusable(reason, remedy, Availability.Outlook.UNDECIDED);
    }

    private Availability probe(Map<String, String> settings) {
        try {
            Path worktree = Files.createTempDirectory("paddock-probe-").toRealPath();
            Path sibling = worktree.resolveSibling(worktree.getFileName() + "-beside");
            try (CommandExecutor executor =
                    create(SandboxPolicy.builder(PathMapping.same(worktree)).build(), settings)) {
                return tryOut(executor, worktree, sibling, settings);
            } finally {
                for (Path left : new Path[] {sibling, worktree.resolve(INSIDE), worktree}) {
                    Files.deleteIfExists(left);
                }
            }
        } catch (SandboxUnavailableException unavailable) {
            return unavailable.unusable();
        } catch (UnsupportedPolicyException unsupported) {
            return unsupported.unusable();
        } catch (IOException fault) {
            return untried(fault);
        }
    }

    private CommandExecutor create(SandboxPolicy policy, Map<String, String> settings) {
        return executors.create(() -> provider.create(policy, settings));
    }

    private static Availability untried(IOException fault) {
        return new Availability.Unusable(
                "the probe could not make or remove its files: " + FileFaults.reason(fault),
                "Remove the cause; '" + System.getProperty("java.io.tmpdir")
                        + "' and the state directory have to be writable.",
                Availability.Outlook.UNDECIDED);
    }

    private Availability probe(SandboxPolicy policy, Map<String, String> settings) {
        try {
            Path outside = Files.createTempDirectory("paddock-probe-").toRealPath();
            Path file = outside.resolve(INSIDE);
            try (CommandExecutor executor = create(policy, settings)) {
                return tryOut(executor, policy, file);
            } finally {
                Files.deleteIfExists(file);
                Files.deleteIfExists(outside);
            }
        } catch (SandboxUnavailableException unavailable) {
            return unavailable.unusable();
        } catch (UnsupportedPolicyException unsupported) {
            return unsupported.unusable();
        } catch (IOException fault) {
            return untried(fault);
        }
    }

    private Availability tryOut(CommandExecutor executor, SandboxPolicy policy, Path outside) {
        ExitStatus status = executor.spawn(
                        "(: > '" + outside + "') 2>/dev/null; exit 0",
                        SpawnOptions.in(policy.worktree().commandPath()))
                .onExit()
                .toCompletableFuture()
                .join();
        if (Files.exists(outside) && !isWritable(policy, outside)) {
            return new Availability.Unusable(
                    "the sandbox confines nothing: a command wrote to '" + outside + "', which is not granted", remedy);
        }
        return status.isSuccess()
                ? new Availability.Usable(version.get(), executor.guarantees())
                : new Availability.Unusable("a sandboxed command ended with " + status.code(), remedy);
    }

    private static boolean isWritable(SandboxPolicy policy, Path file) {
        return file.startsWith(policy.worktree().hostPath())
                || policy.mounts().stream()
                        .anyMatch(
                                mount -> mount.access() == Mount.Access.READ_WRITE && file.startsWith(mount.source()));
    }

    /** Returns the guarantees without that of allowed hosts, if an executor cannot serve them. */
    private Set<Guarantee> proven(Set<Guarantee> claimed, Path worktree, Map<String, String> settings) {
        if (!claimed.contains(Guarantee.NETWORK_ALLOWED_HOSTS)) {
            return claimed;
        }
        SandboxPolicy policy = SandboxPolicy.builder(PathMapping.same(worktree))
                .network(NetworkPolicy.allow("host.example"))
                .build();
        try (CommandExecutor served = create(policy, settings)) {
            if (served.guarantees().contains(Guarantee.NETWORK_ALLOWED_HOSTS)) {
                return claimed;
            }
        } catch (ExecutorException refused) {
            if (executors.isAbandoned()) {
                throw refused; // which is no proof about the network
            }
            LOG.log(
                    System.Logger.Level.WARNING,
                    "A network of allowed hosts cannot be served: " + refused.getMessage());
        }
        Set<Guarantee> proven = EnumSet.copyOf(claimed);
        proven.remove(Guarantee.NETWORK_ALLOWED_HOSTS);
        return proven;
    }

    private Availability tryOut(CommandExecutor executor, Path worktree, Path sibling, Map<String, String> settings) {
        // Bubblewrap lets the command write next to its worktree: to the executor's own /tmp.
        ExitStatus status = executor.spawn(
                        ": > " + INSIDE + "; (: > '" + sibling + "') 2>/dev/null; exit 0",
                        SpawnOptions.in(worktree.toString()))
                .onExit()
                .toCompletableFuture()
                .join();
        if (Files.exists(sibling)) {
            return new Availability.Unusable(
                    "the sandbox confines nothing: a command wrote to '" + sibling + "', beside its worktree", remedy);
        }
        if (!status.isSuccess() || !Files.exists(worktree.resolve(INSIDE))) {
            return new Availability.Unusable(
                    "a sandboxed command that writes a file to its worktree ended with " + status.code(), remedy);
        }
        return new Availability.Usable(version.get(), proven(executor.guarantees(), worktree, settings));
    }
}
