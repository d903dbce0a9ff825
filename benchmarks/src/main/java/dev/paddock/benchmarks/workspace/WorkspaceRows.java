package dev.paddock.benchmarks.workspace;

import dev.paddock.benchmarks.measure.Scope;
import dev.paddock.benchmarks.row.BenchmarkWorktree;
import dev.paddock.benchmarks.row.Entry;
import dev.paddock.benchmarks.row.Row;
import dev.paddock.benchmarks.row.TimedRow;
import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.ExecutorProviders;
import dev.paddock.executor.RunOptions;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.policy.SandboxPolicy;
import dev.paddock.harness.workspace.directory.DirectoryWorkspaceOptions;
import dev.paddock.harness.workspace.directory.DirectoryWorkspaceProvider;
import dev.paddock.harness.workspace.provider.Capability;
import dev.paddock.harness.workspace.provider.WorkspaceConfig;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Opens and closes an empty workspace, and its executor alone with an empty command. */
final class WorkspaceRows {
    private WorkspaceRows() {}

    /** Returns the rows of each executor that is selected. */
    static List<List<Entry>> groups(Scope scope) {
        List<List<Entry>> groups = new ArrayList<>();
        for (String executor : List.of("host", "landlock", "bwrap")) {
            if (scope.wants(executor)) {
                groups.add(List.of(
                        new Entry(
                                executor,
                                "workspace, open and close, " + executor,
                                place -> workspace(executor, place)),
                        new Entry(
                                executor + Workspaces.EXECUTOR,
                                "its executor alone, " + executor,
                                place -> alone(executor, place))));
            }
        }
        return groups;
    }

    private static Row workspace(String executor, BenchmarkWorktree place) throws IOException {
        Path root = place.fresh("workspaces-");
        boolean isHost = executor.equals("host");
        DirectoryWorkspaceOptions.Builder options =
                isHost ? DirectoryWorkspaceProvider.localBash(root) : DirectoryWorkspaceProvider.localSandbox(root);
        DirectoryWorkspaceProvider provider = options.anyCommand().build();
        WorkspaceConfig.Builder config = WorkspaceConfig.of(provider.kind()).capabilities(Capability.values());
        if (!isHost) {
            config.setting("isolation", executor);
        }
        return TimedRow.of(TimedRow.timing(
                TimedRow.Action.NONE, () -> provider.open(config.build()).close(), TimedRow.Action.NONE));
    }

    private static Row alone(String executor, BenchmarkWorktree place) throws IOException {
        PathMapping worktree = PathMapping.same(place.fresh("worktree-"));
        SandboxPolicy policy = executor.equals("host")
                ? SandboxPolicy.unconfined(worktree)
                : SandboxPolicy.builder(worktree).build();
        return TimedRow.of(TimedRow.timing(
                TimedRow.Action.NONE,
                () -> {
                    try (CommandExecutor opened =
                            ExecutorProviders.named(executor).create(policy, Map.of())) {
                        opened.run(":", RunOptions.in(worktree.commandPath()));
                    } catch (InterruptedException stopped) {
                        Thread.currentThread().interrupt();
                        throw new InterruptedIOException("stopped");
                    }
                },
                TimedRow.Action.NONE));
    }
}
