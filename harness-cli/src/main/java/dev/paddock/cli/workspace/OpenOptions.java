package dev.paddock.cli.workspace;

import dev.paddock.cli.command.Arguments;
import dev.paddock.cli.command.ExecutionOptions;
import dev.paddock.cli.command.Option;
import dev.paddock.cli.command.SandboxFlags;
import dev.paddock.cli.command.UsageException;
import dev.paddock.cli.terminal.InvocationContext;
import dev.paddock.executor.config.SandboxConfig;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.policy.SandboxPolicy;
import dev.paddock.harness.workspace.provider.Capability;
import dev.paddock.harness.workspace.provider.WorkspaceConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Reads the options of a new workspace. */
final class OpenOptions {
    private static final Option KIND = Option.of(
                    "--kind",
                    "KIND",
                    "open: docker or kubernetes, with --image, or kubernetes",
                    "with --claim; local-sandbox, a",
                    "sandbox of the kernel, by default; local-bash, which",
                    "confines nothing")
            .withChoices(Workspaces.KINDS.toArray(String[]::new));
    private static final Option COPY =
            Option.of("--copy", "DIR", "open: begins with a copy of DIR, which stays as it is");

    private static final List<String> KERNEL_SANDBOXES = List.of("bwrap", "landlock", "seatbelt");

    static final List<Option> ALL = List.of(
            KIND,
            COPY,
            SandboxFlags.IMAGE,
            SandboxFlags.CLAIM,
            SandboxFlags.NAMESPACE,
            SandboxFlags.CONTEXT,
            SandboxFlags.SETTING,
            SandboxFlags.NETWORK,
            SandboxFlags.ALLOW,
            SandboxFlags.HOST_PROXY,
            SandboxFlags.PROXY_VARIABLES,
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
        return arguments.value(COPY).map(text -> {
            Path path = caller.directory().resolve(text).normalize();
            try {
                Path real = path.toRealPath();
                if (Files.isDirectory(real)) {
                    return real;
                }
            } catch (IOException fault) {
                // No usable file.
            }
            throw new UsageException("--copy " + path + ": there is no such directory");
        });
    }

    /**
     * Returns the configuration of the workspace: the lasting grants of its sandbox.
     *
     * @param source the directory to copy
     * @throws UsageException if a value is malformed, or options contradict each other
     * @throws dev.paddock.executor.config.SandboxConfigException if a configuration file is refused
     */
    static WorkspaceConfig config(Arguments arguments, InvocationContext caller, Optional<Path> source) {
        SandboxConfig config =
                ExecutionOptions.ofNewWorkspace(arguments, caller, source).resolved();
        // Refuses a file in the source that widens the grants, including by its choice of the kind.
        SandboxPolicy granted = config.withoutUserGrants(
                new PathMapping(source.orElseGet(() -> Workspaces.root(caller)), "/workspace"));
        String kind = kind(arguments, config);
        WorkspaceConfig.Builder workspace = WorkspaceConfig.of(kind).capabilities(Capability.values());
        workspace.limits(granted.limits());
        granted.mounts().forEach(workspace::mount);
        config.networkIfSet().ifPresent(workspace::network);
        if (takesImage(kind)) {
            boolean isClaim =
                    kind.equals(Workspaces.KUBERNETES) && config.settings().containsKey("claim");
            if (!isClaim && !config.settings().containsKey("image")) {
                throw new UsageException("a workspace of the kind " + kind + " needs --image IMAGE"
                        + (kind.equals(Workspaces.KUBERNETES) ? " or --claim TEMPLATE" : ""));
            }
            config.settings().forEach(workspace::setting);
        } else if (KERNEL_SANDBOXES.contains(config.executor()) && kind.equals(Workspaces.LOCAL_SANDBOX)) {
            workspace.setting("isolation", config.executor());
        }
        source.ifPresent(workspace::copyOf);
        return workspace.build();
    }

    private static boolean takesImage(String kind) {
        return kind.equals(Workspaces.DOCKER) || kind.equals(Workspaces.KUBERNETES);
    }

    /** Returns the named kind, or that of the configuration's executor. */
    private static String kind(Arguments arguments, SandboxConfig config) {
        Optional<String> named = arguments.value(KIND);
        if (named.isPresent()) {
            if (!KIND.choices().contains(named.get())) {
                throw new UsageException(
                        "--kind is one of " + String.join(", ", KIND.choices()) + ", not '" + named.get() + "'");
            }
            if (arguments.has(SandboxFlags.IMAGE) && !takesImage(named.get())) {
                throw new UsageException("--image is for the kinds docker and kubernetes, not " + named.get());
            }
            return named.get();
        }
        if (config.settings().containsKey("container")) {
            throw new UsageException("a workspace has a container of its own, and your configuration names the"
                    + " container '" + config.settings().get("container") + "': give --image IMAGE, or another --kind");
        }
        boolean hasImage = config.settings().containsKey("image");
        return switch (config.executor()) {
            case SandboxFlags.AUTO -> hasImage ? Workspaces.DOCKER : Workspaces.LOCAL_SANDBOX;
            case Workspaces.DOCKER -> Workspaces.DOCKER;
            case Workspaces.KUBERNETES -> Workspaces.KUBERNETES;
            case SandboxFlags.HOST -> Workspaces.LOCAL_BASH;
            default -> {
                if (KERNEL_SANDBOXES.contains(config.executor())) {
                    yield Workspaces.LOCAL_SANDBOX;
                }
                throw new UsageException("there is no kind of workspace for the executor '" + config.executor()
                        + "' of your configuration: give --kind " + String.join("|", KIND.choices()));
            }
        };
    }
}
