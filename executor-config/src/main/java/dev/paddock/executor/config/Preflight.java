package dev.paddock.executor.config;

import dev.paddock.executor.Availability;
import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.CommandOutcome;
import dev.paddock.executor.CommandResult;
import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.Progress;
import dev.paddock.executor.RunOptions;
import dev.paddock.executor.SandboxUnavailableException;
import dev.paddock.executor.UnsupportedPolicyException;
import dev.paddock.executor.config.grant.CacheKind;
import dev.paddock.executor.policy.Enforcement;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.policy.ResourceLimits;
import dev.paddock.executor.policy.SandboxPolicy;
import dev.paddock.executor.sandbox.backend.ForeignWorktree;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Tests a configuration by using it: the backend, the policy, a command, each limit. */
final class Preflight {
    /** Timeout of each command, for example of a shell that waits for a process it may not start. */
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    /** Tested instead of a larger limit, to save memory. */
    private static final long TRIED_BYTES = 32L << 20;

    private static final int TRIED_PROCESSES = 16;
    private static final double TRIED_CPUS = 0.1;

    /**
     * Runs loops for a second and prints their processor time, as {@code 0m0.09s}, in the last line. Several loops
     * together exceed the limit even on a busy machine.
     */
    private static final String BUSY = "p=; for i in 1 2 3 4 5 6 7 8; do (while :; do :; done) & p=\"$p $!\"; done;"
            + " sleep 1; kill $p; wait 2>/dev/null; times";

    /** More processor time than this means that {@link #TRIED_CPUS} was not enforced. */
    private static final double MAX_SECONDS = 0.4;

    private static final Pattern MINUTES = Pattern.compile("(\\d+)m(\\d+(?:[.,]\\d+)?)s");

    private final SandboxConfig config;
    private final PathMapping worktree;
    private final Consumer<Progress> progress;
    private final List<Finding> findings = new ArrayList<>();

    private Preflight(SandboxConfig config, PathMapping worktree, Consumer<Progress> progress) {
        this.config = config;
        this.worktree = worktree;
        this.progress = progress;
    }

    static List<Finding> check(SandboxConfig config, PathMapping worktree, Consumer<Progress> progress) {
        Preflight preflight = new Preflight(config, worktree, progress);
        preflight.check();
        return List.copyOf(preflight.findings);
    }

    private void check() {
        SandboxPolicy policy;
        try {
            policy = config.policy(worktree);
        } catch (SandboxConfigException refused) {
            failed("configuration", refused);
            return;
        }
        found("configuration", "valid");
        userGrants(policy);
        if (tryCommand(policy)) {
            tryLimits(policy);
        }
    }

    private void userGrants(SandboxPolicy policy) {
        UserGrants grants = config.grants();
        if (grants.grantsToolchains()) {
            List<String> skipped = grants.skipped(worktree.hostPath());
            found(
                    "toolchains",
                    "PATH is " + policy.environment().variables().get("PATH")
                            + (skipped.isEmpty() ? "" : "; without " + String.join("; ", skipped)));
        }
        for (CacheKind kind : grants.kinds()) {
            found("caches." + kind.word(), "ready");
        }
    }

    private boolean tryCommand(SandboxPolicy policy) {
        try (CommandExecutor executor = config.open(policy, progress)) {
            // The image has been fetched by now, with progress.
            if (!isBackendUsable(executor.name(), policy)) {
                return false;
            }
            if (!policy.mounts().isEmpty()) {
                found("mounts", String.valueOf(policy.mounts().size()));
            }
            CommandResult result = run(executor, "exit 0");
            boolean isDone = result.succeeded();
            findings.add(new Finding(
                    "command",
                    isDone,
                    isDone
                            ? "runs in " + directory(executor)
                            : "'exit 0' failed: " + result.outcome() + " "
                                    + result.errText().strip(),
                    ""));
            if (isDone) {
                tryWrite(executor);
            }
            return isDone;
        } catch (ExecutorException refused) {
            failed(
                    findings.stream().anyMatch(finding -> finding.subject().equals("backend")) ? "command" : "backend",
                    refused);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            findings.add(new Finding("command", false, "the check was interrupted", "Run it again."));
        }
        return false;
    }

    /** With -C the shell does not overwrite an existing file. */
    private void tryWrite(CommandExecutor executor) throws InterruptedException {
        CommandResult result = run(executor, "set -C; f=./.paddock-check.$$; : >\"$f\" && rm \"$f\"");
        if (result.succeeded()) {
            found("worktree", "commands write files to it");
            return;
        }
        Optional<String> owner = ForeignWorktree.obstacle(worktree.hostPath());
        findings.add(new Finding(
                "worktree",
                false,
                "a command could not write a file to " + directory(executor) + ": "
                        + owner.orElseGet(() -> result.errText().strip()),
                owner.isPresent()
                        ? ""
                        : "Let the user who runs paddock write to it (chmod, chown, a writable mount)."));
    }

    /** Probes the backend with the policy: it can accept a policy without enforcing it. */
    private boolean isBackendUsable(String name, SandboxPolicy policy) {
        return switch (config.probe(policy)) {
            case Availability.Usable usable -> {
                found("backend", usable.version().equals(name) ? name : name + ", " + usable.version());
                yield true;
            }
            case Availability.Unusable unusable -> {
                findings.add(new Finding("backend", false, name + ": " + unusable.reason(), unusable.remedy()));
                yield false;
            }
        };
    }

    private void tryLimits(SandboxPolicy policy) {
        ResourceLimits limits = policy.limits();
        limits.memoryBytes().ifPresent(bytes -> {
            long tried = Math.min(bytes, TRIED_BYTES);
            tryLimit("limits.memory", policy, none -> none.withMemory(tried), this::isMemoryBound);
        });
        limits.processes().ifPresent(number -> {
            int tried = Math.min(number, TRIED_PROCESSES);
            tryLimit("limits.processes", policy, none -> none.withProcesses(tried), this::isForkBound);
        });
        limits.cpus().ifPresent(number -> {
            double tried = Math.min(number, TRIED_CPUS);
            tryLimit("limits.cpus", policy, none -> none.withCpus(tried), this::isBusyBound);
        });
        limits.fileSizeBytes()
                .ifPresent(bytes ->
                        tryLimit("limits.file-size", policy, none -> none.withFileSize(1_024), this::isFileBound));
    }

    /** The result of a trial. */
    private enum Verdict {
        BOUND,
        UNBOUND,
        /** The limit was not exceeded, but a busy machine could be the reason. */
        NOT_EXCEEDED,
        UNKNOWN
    }

    /** Exceeds a limit. */
    @FunctionalInterface
    private interface Trial {
        Verdict run(CommandExecutor executor) throws InterruptedException;
    }

    private void tryLimit(String name, SandboxPolicy policy, UnaryOperator<ResourceLimits> limit, Trial trial) {
        SandboxPolicy tried =
                policy.toBuilder().limits(limit.apply(ResourceLimits.none())).build();
        try (CommandExecutor executor = config.open(tried, progress)) {
            findings.add(
                    switch (trial.run(executor)) {
                        case BOUND ->
                            new Finding(name, true, "a command that exceeded a limit of this kind was stopped", "");
                        case UNBOUND ->
                            new Finding(
                                    name,
                                    false,
                                    "a command exceeded a limit of this kind and was not stopped",
                                    "Leave the limit out, or choose a backend that enforces it.");
                        case NOT_EXCEEDED ->
                            new Finding(
                                    name,
                                    true,
                                    "accepted, and busy loops did not exceed it; on a busy machine that proves"
                                            + " little",
                                    "");
                        case UNKNOWN ->
                            new Finding(name, true, "not tried: the sandbox lacks a program that the trial needs", "");
                    });
        } catch (UnsupportedPolicyException lower) {
            // A command has already run with the policy's own limits: only the lower one fails.
            if (policy.limits().demand() == Enforcement.REQUIRED) {
                found(name, "accepted, and not tried: commands run in a system that has a limit of its own");
            } else {
                failed(name, lower);
            }
        } catch (ExecutorException refused) {
            failed(name, refused);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            findings.add(new Finding(name, false, "the check was interrupted", "Run it again."));
        }
    }

    /** A line of 64 MiB that tail keeps in memory; one of a kilobyte is the control. */
    private Verdict isMemoryBound(CommandExecutor executor) throws InterruptedException {
        String keep = " /dev/zero | tail -n 1 >/dev/null";
        if (code(run(executor, "head -c 1024" + keep)) != 0) {
            return Verdict.UNKNOWN;
        }
        return code(run(executor, "head -c 67108864" + keep)) == 0 ? Verdict.UNBOUND : Verdict.BOUND;
    }

    private Verdict isForkBound(CommandExecutor executor) throws InterruptedException {
        String processes = "i=0; while [ $i -lt %d ]; do sleep 30 & i=$((i + 1)); done; echo all";
        if (!run(executor, processes.formatted(1)).outText().contains("all")) {
            return Verdict.UNKNOWN;
        }
        return run(executor, processes.formatted(TRIED_PROCESSES * 3)).outText().contains("all")
                ? Verdict.UNBOUND
                : Verdict.BOUND;
    }

    /** With -C the shell creates the file and does not follow a link in a shared directory. */
    private Verdict isFileBound(CommandExecutor executor) throws InterruptedException {
        String write =
                "f=${TMPDIR:-/tmp}/paddock-preflight.$$; set -C; : >\"$f\" || exit; head -c %d /dev/zero >>\"$f\";"
                        + " n=$(wc -c <\"$f\"); rm -f \"$f\"; [ $n -eq %d ]";
        if (code(run(executor, write.formatted(512, 512))) != 0) {
            return Verdict.UNKNOWN;
        }
        return code(run(executor, write.formatted(65_536, 65_536))) == 0 ? Verdict.UNBOUND : Verdict.BOUND;
    }

    private Verdict isBusyBound(CommandExecutor executor) throws InterruptedException {
        Matcher times = MINUTES.matcher(run(executor, BUSY).outText());
        double seconds = 0;
        int count = 0;
        while (times.find()) {
            seconds += 60 * Integer.parseInt(times.group(1))
                    + Double.parseDouble(times.group(2).replace(',', '.'));
            count++;
        }
        if (count < 4) {
            return Verdict.UNKNOWN;
        }
        return seconds > MAX_SECONDS ? Verdict.UNBOUND : Verdict.NOT_EXCEEDED;
    }

    private CommandResult run(CommandExecutor executor, String command) throws InterruptedException {
        return executor.run(command, RunOptions.in(directory(executor)).timeout(PATIENCE));
    }

    /** Returns where commands see the worktree, which an executor on another machine decides. */
    private String directory(CommandExecutor executor) {
        return executor.worktree().orElse(worktree).commandPath();
    }

    private static int code(CommandResult result) {
        return result.outcome() instanceof CommandOutcome.Exited exited
                ? exited.status().code()
                : -1;
    }

    private void found(String subject, String detail) {
        findings.add(new Finding(subject, true, detail, ""));
    }

    private void failed(String subject, ExecutorException fault) {
        if (fault instanceof SandboxUnavailableException unavailable) {
            String detail = unavailable.backend() + ": " + unavailable.reason();
            findings.add(new Finding(subject, false, detail, unavailable.remedy()));
        } else if (fault instanceof UnsupportedPolicyException unsupported) {
            for (String reason : unsupported.unsupported()) {
                findings.add(new Finding(subject, false, "the " + unsupported.backend() + " backend " + reason, ""));
            }
        } else {
            findings.add(new Finding(subject, false, String.valueOf(fault.getMessage()), ""));
        }
    }
}
