package dev.paddock.harness;

import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.harness.files.workspace.WorkspaceFiles;
import dev.paddock.harness.tools.Tool;
import dev.paddock.harness.tools.WorkspaceSource;
import dev.paddock.harness.tools.command.AllowList;
import dev.paddock.harness.tools.command.AuditTrail;
import dev.paddock.harness.tools.command.CommandGate;
import dev.paddock.harness.tools.command.CommandRunner;
import dev.paddock.harness.tools.command.CommandStart;
import dev.paddock.harness.tools.command.DirectoryProbe;
import dev.paddock.harness.tools.command.KeptDirectory;
import dev.paddock.harness.tools.files.FileTools;
import dev.paddock.harness.tools.hint.SandboxFacts;
import dev.paddock.harness.tools.output.LogDirectory;
import dev.paddock.harness.tools.shell.Background;
import dev.paddock.harness.tools.shell.BackgroundShells;
import dev.paddock.harness.tools.shell.BashOutputTool;
import dev.paddock.harness.tools.shell.BashTool;
import dev.paddock.harness.tools.shell.KillShellTool;
import dev.paddock.harness.tools.shell.WriteStdinTool;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/** The session's own tools, {@code bash} first, which work in one directory and run commands by one executor. */
record SessionTools(Optional<BackgroundShells> shells, List<Tool> all) {

    Tool bash() {
        return all.getFirst();
    }

    /** Returns notices of ended background shells that the model has not received. */
    List<String> takeEnded() {
        return shells.map(BackgroundShells::takeEnded).orElse(List.of());
    }

    void endShells() {
        shells.ifPresent(BackgroundShells::endAll);
    }

    /** Where the model's commands run, and the session's own probe, which checks that commands see the directory. */
    record Commands(CommandExecutor executor, CommandExecutor probing) {}

    /** The parts that the tools of a session need, wherever they work. */
    record Base(
            SessionOptions options,
            SessionThreads threads,
            LogDirectory logs,
            AuditTrail audits,
            BooleanSupplier sharesDirectory) {

        /** Creates the tools for a directory, an executor that shares it, and its files. */
        SessionTools tools(
                PathMapping worktree, CommandExecutor executor, WorkspaceFiles files, Optional<SandboxFacts> facts) {
            return tools(worktree, worktree.commandPath(), new Commands(executor, executor), files, facts);
        }

        SessionTools tools(
                PathMapping worktree,
                String directory,
                Commands commands,
                WorkspaceFiles files,
                Optional<SandboxFacts> facts) {
            Optional<KeptDirectory> kept = options.keepDirectory()
                    ? Optional.of(new KeptDirectory(worktree, directory, files))
                    : Optional.empty();
            CommandRunner runner = runner(commands.executor(), directory, new CommandStart(options.shell(), kept));
            int most = options.maxBackgroundShells();
            Optional<BackgroundShells> shells = most == 0
                    ? Optional.empty()
                    : Optional.of(new BackgroundShells(
                            runner, logs, most, options.limits().maxOutput(), options.ports(), threads.workers()));
            List<Tool> all = new ArrayList<>();
            DirectoryProbe probe = new DirectoryProbe(
                    worktree, runner(commands.probing(), directory, CommandStart.STANDARD), sharesDirectory);
            all.add(bash(runner, probe, shells.<Background>map(some -> some).orElse(Background.OFF), facts));
            shells.ifPresent(some ->
                    all.addAll(List.of(new BashOutputTool(some), new WriteStdinTool(some), new KillShellTool(some))));
            all.addAll(FileTools.all(files, runner.filesUnderWay(), options.documents(), options.editorBuffers()));
            return new SessionTools(shells, List.copyOf(all));
        }

        private CommandRunner runner(CommandExecutor executor, String directory, CommandStart start) {
            return new CommandRunner(
                    executor,
                    directory,
                    options.environment(),
                    options.limits().killGrace(),
                    logs,
                    threads.clock(),
                    start);
        }

        private Tool bash(
                CommandRunner runner, DirectoryProbe probe, Background background, Optional<SandboxFacts> facts) {
            // The lists come first: a command that one of them refuses must not even start the directory probe.
            CommandGate gate = probe;
            for (AllowList list : allowed()) {
                gate = list.then(gate);
            }
            return new BashTool(runner, gate, options.limits(), background, audits, facts);
        }

        private List<AllowList> allowed() {
            return Stream.concat(
                            options.workspace().flatMap(WorkspaceSource::allowedCommands).map(AllowList::new).stream(),
                            options.allowedCommands().stream())
                    .toList();
        }
    }
}
