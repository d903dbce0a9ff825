package dev.paddock.cli.guest;

import dev.paddock.cli.command.Arguments;
import dev.paddock.cli.command.Option;
import dev.paddock.cli.command.SandboxFlags;
import dev.paddock.cli.command.UsageException;
import dev.paddock.cli.command.WorktreeChoice;
import dev.paddock.cli.terminal.InvocationContext;
import dev.paddock.executor.policy.Mount;
import dev.paddock.harness.bindings.AgentContainer;
import dev.paddock.harness.bindings.ContainerOptions;
import dev.paddock.harness.bindings.ExecPolicy;
import dev.paddock.harness.bindings.FetchPolicy;
import dev.paddock.harness.files.access.PatternException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;

/** The options for the grants of a container. */
final class ContainerFlags {
    private static final Option SHADOW =
            Option.flag("--shadow", "works in a copy of the worktree, which is removed", "afterwards");
    private static final Option DENY_READ = Option.repeatable(
            "--deny-read", "GLOB", "files whose content is not given, such as '*.pem';", ".env and .env.* never are");
    private static final Option ALLOW_COMMAND =
            Option.repeatable("--allow-command", "PROGRAM", "a program that EXEC may run; without any it runs none");
    private static final Option FETCH = Option.repeatable(
            "--fetch",
            "HOST",
            "a host that fetch reaches, and those below it; as in",
            "git.example:8443/private; without any none; by GET and HEAD,",
            "and by other methods that it names: api.example/post/put");

    static final List<Option> ALL = List.of(
            WorktreeChoice.WORKTREE,
            WorktreeChoice.ALLOW_HOME,
            SandboxFlags.EXECUTOR,
            SandboxFlags.MOUNT,
            SHADOW,
            DENY_READ,
            ALLOW_COMMAND,
            FETCH);

    private ContainerFlags() {}

    /**
     * Returns the container that the options describe.
     *
     * @throws UsageException if one of them is invalid
     */
    static ContainerOptions.Builder read(Arguments arguments, InvocationContext caller) {
        Path worktree = WorktreeChoice.read(arguments, caller);
        ContainerOptions.Builder container = AgentContainer.builder(worktree)
                .backend(arguments.value(SandboxFlags.EXECUTOR).orElse(SandboxFlags.AUTO));
        if (arguments.has(SHADOW)) {
            container.mode(AgentContainer.Mode.SHADOW);
        }
        for (String text : arguments.all(SandboxFlags.MOUNT)) {
            Mount mount = valid(SandboxFlags.MOUNT, () -> Mount.parse(text, caller.directory()));
            container.mount(mount.target(), mount.source(), mount.access());
        }
        valid(DENY_READ, () -> container.denyRead(arguments.all(DENY_READ)));
        if (arguments.has(ALLOW_COMMAND)) {
            container.exec(valid(ALLOW_COMMAND, () -> ExecPolicy.only(arguments.all(ALLOW_COMMAND))));
        }
        if (arguments.has(FETCH)) {
            container.fetch(valid(FETCH, () -> FetchPolicy.hosts(arguments.all(FETCH))));
        }
        return container;
    }

    static <T> T valid(Option option, Supplier<T> value) {
        try {
            return value.get();
        } catch (IllegalArgumentException | PatternException invalid) {
            throw new UsageException(option.name() + ": " + invalid.getMessage());
        }
    }
}
