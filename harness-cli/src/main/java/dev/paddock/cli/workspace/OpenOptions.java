package dev.paddock.cli.workspace;

import dev.paddock.cli.command.Arguments;
import dev.paddock.cli.command.NetworkChoice;
import dev.paddock.cli.command.Option;
import dev.paddock.cli.command.SandboxFlags;
import dev.paddock.cli.command.SandboxOptions;
import dev.paddock.cli.command.UsageException;
import dev.paddock.cli.terminal.InvocationContext;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.policy.SandboxPolicy;
import dev.paddock.harness.workspace.provider.Capability;
import dev.paddock.harness.workspace.provider.WorkspaceConfig;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Reads the options of a new workspace. */
final class OpenOptions {
    private static final Option KIND = Option.of(
                    "--kind",
                    "KIND",
                    "open: docker, with --image; local-sandbox, a sandbox of the",
                    "kernel, by default; local-bash, which confines nothing")
            .withChoices(Workspaces.DOCKER, Workspaces.LOCAL_SANDBOX, Workspaces.LOCAL_BASH);
    private static final Option COPY =
            Option.of("--copy", "DIR", "open: begins with a copy of DIR, which stays as it is");

    static final List<Option> ALL = List.of(
            KIND,
            COPY,
            SandboxFlags.IMAGE,
            SandboxFlags.NETWORK,
            SandboxFlags.ALLOW,
            SandboxFlags.MEMORY,
            SandboxFlags.CPUS,
            SandboxFlags.PIDS,
            SandboxFlags.MOUNT);

    private OpenOptions() {}

    /**
     * Returns the directory to copy.
     *
     * @throws UsageException if there is no such directory
     */
    static Optional<Path> source(Arguments arguments, InvocationContext caller) {
        Optional<Path> source = arguments
                .value(COPY)
                .map(text -> caller.directory().resolve(text).normalize());
        source.filter(path -> !Files.isDirectory(path)).ifPresent(path -> {
            throw new UsageException("--copy " + path + ": there is no such directory");
        });
        return source;
    }

    /**
     * Returns the configuration of the workspace.
     *
     * @throws UsageException if a value is malformed, or options contradict each other
     */
    static WorkspaceConfig config(Arguments arguments, InvocationContext caller) {
        Optional<String> image = arguments.value(SandboxFlags.IMAGE);
        String kind = arguments.value(KIND).orElse(image.isPresent() ? Workspaces.DOCKER : Workspaces.LOCAL_SANDBOX);
        if (!KIND.choices().contains(kind)) {
            throw new UsageException("--kind is one of " + String.join(", ", KIND.choices()) + ", not '" + kind + "'");
        }
        if (kind.equals(Workspaces.DOCKER) != image.isPresent()) {
            throw new UsageException(
                    image.isPresent()
                            ? "--image is for the kind docker, not " + kind
                            : "a workspace of the kind docker needs --image IMAGE");
        }
        WorkspaceConfig.Builder config = WorkspaceConfig.of(kind).capabilities(Capability.values());
        SandboxPolicy granted = SandboxOptions.given(arguments, caller).policy(PathMapping.same(Path.of("/workspace")));
        if (NetworkChoice.read(arguments).isPresent()) {
            config.network(granted.network());
        }
        config.limits(granted.limits());
        granted.mounts().forEach(config::mount);
        image.ifPresent(name -> config.setting("image", name));
        source(arguments, caller).ifPresent(config::copyOf);
        return config.build();
    }
}
