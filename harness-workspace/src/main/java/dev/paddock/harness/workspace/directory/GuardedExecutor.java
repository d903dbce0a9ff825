package dev.paddock.harness.workspace.directory;

import dev.paddock.executor.AbortController;
import dev.paddock.executor.AbortSignal;
import dev.paddock.executor.CleanupReport;
import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.CommandResult;
import dev.paddock.executor.ForwardingExecutor;
import dev.paddock.executor.ForwardingProcess;
import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.RunOptions;
import dev.paddock.executor.SpawnOptions;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/**
 * The executor of a workspace's commands: refuses those that are not allowed before the sandbox
 * receives them, ends those that exceed the longest duration, and counts those that run.
 */
final class GuardedExecutor extends ForwardingExecutor {
    private final Rules rules;
    private final LiveCommands commands;

    /**
     * The rules for commands.
     *
     * @param commands which commands
     * @param directories where they begin
     * @param maxDuration how long they may run
     */
    record Rules(CommandRule commands, DirectoryRule directories, Optional<Duration> maxDuration) {
        /** Allows everything. */
        static final Rules NONE = new Rules(CommandRule.ANY, DirectoryRule.ANY, Optional.empty());

        void check(String command, SpawnOptions options) {
            commands.check(command, options);
            directories.check(options.cwd());
        }
    }

    GuardedExecutor(CommandExecutor sandbox, Rules rules, LiveCommands commands) {
        super(sandbox);
        this.rules = rules;
        this.commands = commands;
    }

    /** Times out, instead of aborting, a run that takes too long, so that its caller can distinguish the two. */
    @Override
    public CommandResult run(String command, RunOptions options) throws InterruptedException {
        if (rules.maxDuration().isEmpty()) {
            return super.run(command, options);
        }
        Duration longest = rules.maxDuration().get();
        Duration timeout = options.timeout()
                .filter(wanted -> wanted.compareTo(longest) < 0)
                .orElse(longest);
        return new ForwardingExecutor(this) {
            @Override
            public ProcessLike spawn(String text, SpawnOptions spawn) {
                return start(text, spawn);
            }
        }.run(command, options.timeout(timeout));
    }

    @Override
    public ProcessLike spawn(String command, SpawnOptions options) {
        if (rules.maxDuration().isEmpty()) {
            return start(command, options);
        }
        Duration longest = rules.maxDuration().get();
        AbortController limit = new AbortController();
        ProcessLike process = start(
                command,
                options.toBuilder()
                        .signal(AbortSignal.any(options.signal(), limit.signal()))
                        .build());
        CompletableFuture<Void> clock = new CompletableFuture<>();
        var unused = clock.thenRunAsync(
                () -> limit.abort("the workspace allows a command " + longest.toMillis() / 1000.0 + " s"));
        clock.completeOnTimeout(null, longest.toMillis(), TimeUnit.MILLISECONDS);
        var unusedEnd = process.onClosed().whenComplete((report, fault) -> clock.cancel(false));
        return process;
    }

    private ProcessLike start(String command, SpawnOptions options) {
        rules.check(command, options);
        commands.begin();
        try {
            return new Counted(super.spawn(command, options));
        } catch (RuntimeException | Error fault) {
            commands.end();
            throw fault;
        }
    }

    /** Uncounts the command before its close completes, so that a caller that awaits its close can copy the files. */
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
