package dev.paddock.harness.workspace.directory;

import dev.paddock.executor.CleanupReport;
import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.ForwardingExecutor;
import dev.paddock.executor.ForwardingProcess;
import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.SpawnOptions;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * The executor of a workspace's commands: refuses those that are not allowed before the sandbox
 * receives them, and counts those that run.
 */
final class GuardedExecutor extends ForwardingExecutor {
    private final CommandRule rule;
    private final LiveCommands commands;

    GuardedExecutor(CommandExecutor sandbox, CommandRule rule, LiveCommands commands) {
        super(sandbox);
        this.rule = rule;
        this.commands = commands;
    }

    @Override
    public ProcessLike spawn(String command, SpawnOptions options) {
        rule.check(command, options);
        commands.begin();
        try {
            return new Counted(super.spawn(command, options));
        } catch (RuntimeException | Error fault) {
            commands.end();
            throw fault;
        }
    }

    /** Closes when it counts no longer, so that who awaits its close can copy the files. */
    private final class Counted extends ForwardingProcess {
        private final CompletableFuture<CleanupReport> closed = new CompletableFuture<>();

        Counted(ProcessLike process) {
            super(process);
            var unused = super.onClosed().whenComplete((report, fault) -> {
                commands.end();
                if (fault == null) {
                    closed.complete(report);
                } else {
                    closed.completeExceptionally(fault);
                }
            });
        }

        @Override
        public CompletionStage<CleanupReport> onClosed() {
            return closed;
        }
    }
}
