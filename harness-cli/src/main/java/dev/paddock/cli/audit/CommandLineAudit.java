package dev.paddock.cli.audit;

import dev.paddock.cli.command.ExecutionOptions;
import dev.paddock.cli.command.LateObservers;
import dev.paddock.cli.terminal.Console;
import dev.paddock.cli.terminal.InvocationContext;
import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.config.Auditing;
import dev.paddock.executor.policy.Mount;
import dev.paddock.executor.policy.NetworkPolicy;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.policy.SandboxPolicy;
import dev.paddock.harness.audit.AuditException;
import dev.paddock.harness.audit.AuditRecord;
import dev.paddock.harness.audit.AuditSink;
import dev.paddock.harness.audit.AuditedExecutor;
import dev.paddock.harness.audit.store.AuditStore;
import dev.paddock.harness.tools.WorkspaceSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/**
 * Records the commands of one run of this program, as its options say. Records go to the spool of the caller's store,
 * from where a run moves them into the chain; but directly into the chain if they are required, or if the key is not
 * stored with the spool.
 */
public final class CommandLineAudit implements AutoCloseable {
    private final String subcommand;
    private final Optional<AuditSink> sink;
    private final Runnable closing;
    private final Consumer<AuditedExecutor.Builder> requirement;
    private final List<AuditedExecutor> recorded = new CopyOnWriteArrayList<>();

    private CommandLineAudit(
            String subcommand,
            Optional<AuditSink> sink,
            Runnable closing,
            Consumer<AuditedExecutor.Builder> requirement) {
        this.subcommand = subcommand;
        this.sink = sink;
        this.closing = closing;
        this.requirement = requirement;
    }

    /**
     * Opens the audit trail that the configuration demands.
     *
     * @param auditing whether commands leave records
     * @param subcommand the subcommand whose commands are recorded
     * @throws AuditException if records are required and cannot be written
     */
    public static CommandLineAudit open(
            Auditing auditing, String subcommand, InvocationContext caller, Console console) {
        if (auditing == Auditing.OFF) {
            return none(subcommand);
        }
        if (auditing == Auditing.REQUIRED) {
            AuditStore store = AuditLocation.of(caller).open(true);
            return new CommandLineAudit(
                    subcommand, Optional.of(store), store::close, audited -> audited.required(store::write));
        }
        try {
            AuditLocation location = AuditLocation.of(caller);
            if (location.key().isPresent()) {
                AuditStore store = location.open(true);
                return new CommandLineAudit(subcommand, Optional.of(store), store::close, audited -> {});
            }
            SpoolSink spool = new SpoolSink(location, console);
            return new CommandLineAudit(subcommand, Optional.of(spool), spool::close, audited -> {});
        } catch (AuditException fault) {
            console.complain("commands leave no audit records: " + Console.text(fault));
            return none(subcommand);
        }
    }

    private static CommandLineAudit none(String subcommand) {
        return new CommandLineAudit(subcommand, Optional.empty(), () -> {}, audited -> {});
    }

    /**
     * Opens an executor that records its commands and connections.
     *
     * @throws dev.paddock.executor.ExecutorException as {@link ExecutionOptions#open} does
     */
    public CommandExecutor open(ExecutionOptions options, LateObservers observers, Console console) {
        return over(options.open(console, observers), observers, options.policy());
    }

    /**
     * Returns an executor that records its commands and connections.
     *
     * @param executor the executor that runs them; disposed of with the returned one
     * @param observers the observers with which it was created, for the records of its connections
     * @param policy the policy that the executor enforces
     */
    private CommandExecutor over(CommandExecutor executor, LateObservers observers, SandboxPolicy policy) {
        if (sink.isEmpty()) {
            return executor;
        }
        AuditedExecutor.Builder audited = AuditedExecutor.builder(
                        connections -> {
                            observers.observe(connections);
                            return executor;
                        },
                        sink.get())
                .session(AuditRecord.newId())
                .caller(() -> Map.of("command", "paddock " + subcommand))
                .policy(policy);
        requirement.accept(audited);
        AuditedExecutor recording = audited.build();
        recorded.add(recording);
        return recording;
    }

    /**
     * Returns an executor that records the commands of a workspace.
     *
     * @param executor the workspace's executor
     * @param observers the observers with which it was created
     * @param worktree its directory
     * @param mounts what its commands see in addition to the directory
     * @param network what its commands reach
     */
    public CommandExecutor over(
            CommandExecutor executor,
            LateObservers observers,
            PathMapping worktree,
            List<Mount> mounts,
            NetworkPolicy network) {
        SandboxPolicy.Builder policy = SandboxPolicy.builder(worktree).network(network);
        mounts.forEach(policy::mount);
        return over(executor, observers, policy.build());
    }

    /** Returns a source whose workspaces record their commands. */
    public WorkspaceSource over(WorkspaceSource source, LateObservers observers) {
        return new AuditedSource(source, observers, this);
    }

    /**
     * Writes the remaining records. Close it after the executors, or after their commands have
     * ended.
     */
    @Override
    public void close() {
        recorded.forEach(AuditedExecutor::awaitRecords);
        closing.run();
    }
}
