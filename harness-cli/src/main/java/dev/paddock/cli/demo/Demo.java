package dev.paddock.cli.demo;

import dev.paddock.cli.agent.AgentView;
import dev.paddock.cli.agent.Screen;
import dev.paddock.cli.command.SandboxFlags;
import dev.paddock.cli.doctor.Report;
import dev.paddock.cli.terminal.Console;
import dev.paddock.cli.terminal.Interrupts;
import dev.paddock.cli.terminal.Style;
import dev.paddock.cli.terminal.TerminalWidth;
import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.Guarantee;
import dev.paddock.harness.AgentSession;
import dev.paddock.harness.events.RunOutcome;
import dev.paddock.harness.events.SessionEvent;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Runs the demo once. */
final class Demo implements Interrupts.Work {
    private final DemoWorkspace workspace;
    private final Style style;
    private final PrintStream out;
    private final CompletableFuture<Integer> interrupted = new CompletableFuture<>();
    private volatile Optional<AgentSession> session = Optional.empty();
    private volatile boolean lastCommandPassed;

    Demo(DemoWorkspace workspace, Style style, PrintStream out) {
        this.workspace = workspace;
        this.style = style;
        this.out = out;
    }

    /** Plays the demo and disposes the executor. */
    int run(DemoCommand.Place place) throws IOException {
        long began = System.nanoTime();
        CommandExecutor executor = place.executor();
        introduce(place);
        RunOutcome outcome;
        try (AgentSession opened = open(place)) {
            session = Optional.of(opened);
            if (interrupted.isDone()) {
                return interrupted.join();
            }
            outcome = opened.prompt(DemoProject.PROMPT);
        }
        if (interrupted.isDone()) {
            return interrupted.join();
        }
        outcome.failure().ifPresent(fault -> out.println(style.bad(Console.text(fault))));
        out.println();
        out.println(style.bold("git diff, on the host"));
        out.print(workspace.diff(style).indent(2));
        out.println();
        conclude(executor, Duration.ofNanos(System.nanoTime() - began));
        return outcome.completed() && lastCommandPassed ? 0 : 1;
    }

    private AgentSession open(DemoCommand.Place place) throws IOException {
        try {
            return AgentSession.builder()
                    .model(DemoProject.model())
                    .cwd(workspace.worktree())
                    .executor(place.executor())
                    .execCwd(place.path())
                    .closedToolSet(true)
                    .sessionDirectory(workspace.session())
                    .listener(new Screen(out, style))
                    .listener(this::watch)
                    .listenerPatience(AgentView.READERS_PATIENCE)
                    .build();
        } catch (RuntimeException | IOException fault) {
            place.executor().dispose();
            throw fault;
        }
    }

    private void watch(SessionEvent event) {
        if (event instanceof SessionEvent.ToolEnded ended && ended.call().name().equals("bash")) {
            lastCommandPassed = !ended.result().isError();
        }
    }

    private void introduce(DemoCommand.Place place) {
        place.warning().ifPresent(warning -> {
            out.println(style.bad(banner(warning)));
            out.println();
        });
        out.println(style.bold("paddock demo: ") + DemoProject.PROMPT);
        out.println("  files     on the host, in " + workspace.worktree());
        out.println("  commands  " + where(place.executor()) + ", in " + place.path());
        out.println();
    }

    private void conclude(CommandExecutor executor, Duration took) {
        out.println("The files were edited on the host; the commands ran " + where(executor) + ". All of it took "
                + Screen.milliseconds(took) + ".");
        if (executor.guarantees().isEmpty()) {
            out.println("That executor guarantees nothing.");
        } else {
            out.println("Guarantees of that executor:");
            executor.guarantees().stream()
                    .sorted()
                    .map(Guarantee::description)
                    .forEach(promise -> out.println("  - " + promise));
        }
    }

    private static String where(CommandExecutor executor) {
        return executor.name().equals(SandboxFlags.HOST) ? "on the host" : "in a sandbox, " + executor.name();
    }

    private static String banner(String warning) {
        String edge = "!".repeat(78);
        String text =
                new Report(TerminalWidth.USUAL).paragraph("!! ", "!! ", warning).text();
        return edge + "\n" + text + edge;
    }

    @Override
    public void end(int exitCode) {
        interrupted.complete(exitCode);
        session.ifPresent(AgentSession::abort);
    }

    /** Does nothing: an abort takes no longer than the commands' grace, and a third signal ends the JVM. */
    @Override
    public void endAtOnce() {}
}
