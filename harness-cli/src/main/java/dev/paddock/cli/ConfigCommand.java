package dev.paddock.cli;

import dev.paddock.cli.command.Arguments;
import dev.paddock.cli.command.ConfigFiles;
import dev.paddock.cli.command.ExecutionOptions;
import dev.paddock.cli.command.Manual;
import dev.paddock.cli.command.Option;
import dev.paddock.cli.command.SandboxFlags;
import dev.paddock.cli.command.Subcommand;
import dev.paddock.cli.command.UsageException;
import dev.paddock.cli.doctor.NeedsCheck;
import dev.paddock.cli.terminal.Console;
import dev.paddock.cli.terminal.Interrupts;
import dev.paddock.cli.terminal.InvocationContext;
import dev.paddock.executor.config.SandboxConfig;
import dev.paddock.executor.path.FileFaults;
import dev.paddock.executor.policy.PathMapping;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;

/** Implements {@code paddock config}: shows, checks and begins the configuration. */
final class ConfigCommand implements Subcommand {
    private static final List<String> ACTIONS = List.of("show", "check", "init", "schema");

    private static final String TEMPLATE = """
            # What Paddock's sandbox grants to commands. 'paddock config show' shows what counts, and
            # 'paddock config check' tries it. Paths are relative to this file.
            extends: sandbox
            # executor: auto          # the strongest sandbox that is usable; or bwrap, docker, [bwrap, docker]
            # image: debian:bookworm  # docker: commands run in a container of this image
            # network: open           # or off
            # limits: { memory: 2g, cpus: 2, processes: 512 }
            # mounts:
            #   - { source: ~/reference, target: /opt/reference, access: ro }
            # environment:
            #   pass: [CI]            # variables of yours
            #   set: { LANG: C.UTF-8 }
            """;

    private final Console console;

    ConfigCommand(Console console) {
        this.console = console;
    }

    @Override
    public String name() {
        return "config";
    }

    @Override
    public String summary() {
        return "shows, checks or begins the configuration of sandboxes";
    }

    @Override
    public List<Option> options() {
        return SandboxFlags.ALL;
    }

    @Override
    public List<String> operands() {
        return ACTIONS;
    }

    @Override
    public Manual manual() {
        return new Manual(
                List.of(
                        "paddock config show [options]",
                        "paddock config check [options]",
                        "paddock config init [--config FILE]",
                        "paddock config schema"),
                """
                show prints the values that count for commands in the worktree, and where each comes
                from: the options, over the worktree's paddock.yaml, over your own. Commands can
                write the worktree's file, so it can only narrow what yours grants. The bounds on
                everything whose size a command chooses follow.
                check tries it, as paddock doctor does with options.
                init writes a file to begin with: your own, or the one that is named.
                schema prints the files' JSON Schema, for editors.
                """,
                "Exit codes: 0; 1 if the check fails; 2 for a mistake in the options or the files.");
    }

    @Override
    public int run(Arguments arguments, InvocationContext caller) {
        if (arguments.operands().isEmpty()) {
            throw new UsageException("give one of " + String.join(", ", ACTIONS));
        }
        String action = arguments.operands().getFirst();
        if (ACTIONS.contains(action) && arguments.operands().size() > 1) {
            throw new UsageException("'config " + action + "' takes no '"
                    + arguments.operands().get(1) + "'; --config names a file, and --worktree a directory");
        }
        Interrupts.catching(console);
        switch (action) {
            case "show" -> {
                SandboxConfig config = ExecutionOptions.config(arguments, caller);
                PathMapping worktree = ExecutionOptions.mapping(arguments, caller, config);
                config.withUserGrants(config.withoutUserGrants(worktree), config.executor()); // or refuses a value
                console.out().print(config.render());
                console.out().print(Bounds.text());
            }
            case "check" -> {
                return NeedsCheck.run(arguments, caller, console, false);
            }
            case "init" -> init(arguments, caller);
            case "schema" -> console.out().print(SandboxConfig.schema());
            default ->
                throw new UsageException("there is no 'config " + action + "', only " + String.join(", ", ACTIONS));
        }
        return 0;
    }

    private void init(Arguments arguments, InvocationContext caller) {
        Optional<Path> place = ConfigFiles.given(arguments, caller).or(() -> ConfigFiles.userFile(caller));
        Path file = place.orElseThrow(() ->
                new UsageException("you have no home directory for your configuration; name a file with --config"));
        try {
            Path directory = file.getParent();
            if (directory != null) {
                Files.createDirectories(directory);
            }
            Files.writeString(file, TEMPLATE, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        } catch (FileAlreadyExistsException there) {
            throw new UsageException(file + " exists already; edit it, or name another file with --config");
        } catch (IOException fault) {
            throw new UsageException(
                    file + " cannot be written (" + FileFaults.reason(fault) + "); name another file with --config");
        }
        console.out().println("wrote " + file);
    }
}
