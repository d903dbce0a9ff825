package dev.paddock.harness;

import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.policy.SandboxPolicy;
import dev.paddock.harness.events.SessionListener;
import dev.paddock.harness.loop.ToolChoice;
import dev.paddock.harness.model.Model;
import dev.paddock.harness.tools.command.AllowList;
import dev.paddock.harness.tools.command.CommandLimits;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The validated options of a session. */
record SessionOptions(
        Model model,
        PathMapping worktree,
        Optional<CommandExecutor> executor,
        SandboxPolicy policy,
        Map<String, String> executorSettings,
        ToolChoice tools,
        String systemPrompt,
        int maxTurns,
        Optional<AllowList> allowedCommands,
        Map<String, String> environment,
        CommandLimits limits,
        long maxLogBytes,
        int maxBackgroundShells,
        List<SessionListener> listeners,
        Optional<Path> sessionDirectory,
        boolean resume,
        Duration disposalPatience,
        Duration listenerPatience) {

    /**
     * Returns the mapping of the session's directory.
     *
     * @throws IllegalStateException if no directory is given
     * @throws IllegalArgumentException if it is no directory
     */
    static PathMapping worktree(Optional<Path> cwd, Optional<String> execCwd) {
        Path given = cwd.orElseThrow(() -> new IllegalStateException("no directory is given; call cwd(…)"));
        Path host = given.toAbsolutePath().normalize();
        if (!Files.isDirectory(host)) {
            throw new IllegalArgumentException(
                    "cwd " + (Files.exists(host) ? "is no directory: " : "does not exist: ") + host);
        }
        return execCwd.map(path -> new PathMapping(host, path)).orElseGet(() -> PathMapping.same(host));
    }
}
