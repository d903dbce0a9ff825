package dev.paddock.harness;

import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.CommandShell;
import dev.paddock.executor.PublishedPort;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.policy.SandboxPolicy;
import dev.paddock.harness.approval.Approver;
import dev.paddock.harness.events.SessionListener;
import dev.paddock.harness.loop.ToolChoice;
import dev.paddock.harness.model.Model;
import dev.paddock.harness.tools.DocumentReader;
import dev.paddock.harness.tools.EditorBuffers;
import dev.paddock.harness.tools.WorkspaceSource;
import dev.paddock.harness.tools.command.AllowList;
import dev.paddock.harness.tools.command.CommandLimits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The validated options of a session: for a workspace, or else for the policy's directory. */
record SessionOptions(
        Model model,
        Optional<WorkspaceSource> workspace,
        Optional<CommandExecutor> executor,
        Optional<SandboxPolicy> policy,
        Map<String, String> executorSettings,
        ToolChoice tools,
        Optional<DocumentReader> documents,
        Optional<EditorBuffers> editorBuffers,
        String systemPrompt,
        int maxTurns,
        Optional<AllowList> allowedCommands,
        Optional<Approver> approver,
        Map<String, String> environment,
        CommandLimits limits,
        CommandShell shell,
        boolean keepDirectory,
        long maxLogBytes,
        int maxBackgroundShells,
        List<PublishedPort> ports,
        List<SessionListener> listeners,
        Optional<Path> sessionDirectory,
        boolean resume,
        Duration disposalPatience,
        Duration listenerPatience,
        ContextCarrier contextCarrier) {

    SandboxPolicy directoryPolicy() {
        return policy.orElseThrow(() -> new IllegalStateException("the tools work in a workspace"));
    }

    /**
     * Returns the mapping of the session's directory: the given one, or else the executor's own, or
     * else the same path on both sides.
     *
     * @throws IllegalStateException if no directory is given
     * @throws IllegalArgumentException if it is no directory
     */
    static PathMapping worktree(Optional<Path> cwd, Optional<String> execCwd, Optional<CommandExecutor> executor) {
        Path given =
                cwd.orElseThrow(() -> new IllegalStateException("no directory is given; call cwd(…), or workspace(…)"));
        Path host = given.toAbsolutePath().normalize();
        if (!Files.isDirectory(host)) {
            throw new IllegalArgumentException(
                    "cwd " + (Files.exists(host) ? "is no directory: " : "does not exist: ") + host);
        }
        return execCwd.or(() -> executor.flatMap(CommandExecutor::worktree).flatMap(known -> commandPath(known, host)))
                .map(path -> new PathMapping(host, path))
                .orElseGet(() -> PathMapping.same(host));
    }

    /** Returns a directory's command path under an executor's mapping; resolves links in the host paths. */
    private static Optional<String> commandPath(PathMapping known, Path host) {
        return known.toCommand(host)
                .or(() -> new PathMapping(real(known.hostPath()), known.commandPath()).toCommand(real(host)));
    }

    private static Path real(Path path) {
        try {
            return path.toRealPath();
        } catch (IOException gone) {
            return path;
        }
    }
}
