package dev.paddock.executor.sandbox.spawn;

import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.observe.CommandEnd;
import dev.paddock.executor.observe.ObservedProcess;
import dev.paddock.executor.path.ReportingCommand;
import java.util.concurrent.CompletionStage;
import jdk.jfr.FlightRecorder;

/** Writes an event of each command to the JDK's flight recorder, if that runs. */
final class FlightEvents {
    /** A runtime image may lack the module. */
    private static final boolean IS_PRESENT =
            ModuleLayer.boot().findModule("jdk.jfr").isPresent();

    private FlightEvents() {}

    /** Returns the time at which a launch begins. */
    static long begin() {
        return System.nanoTime();
    }

    /**
     * Follows a started command.
     *
     * @param command the command and how it was started
     * @param begun when its launch began
     * @return the process, or one that counts its output
     */
    static ProcessLike follow(ProcessLike process, String executor, SpawnRequest<?> command, boolean warm, long begun) {
        return IS_PRESENT && FlightRecorder.isInitialized()
                ? recorded(process, executor, command, warm, begun)
                : process;
    }

    /** A separate method, so that the event's class is not loaded without the recorder. */
    private static ProcessLike recorded(
            ProcessLike process, String executor, SpawnRequest<?> command, boolean warm, long begun) {
        CommandEvent event = new CommandEvent();
        if (!event.isEnabled()) {
            return process;
        }
        event.begin();
        event.start = System.nanoTime() - begun;
        event.executor = executor;
        event.warm = warm;
        event.program = ReportingCommand.program(
                ReportingCommand.plain(command.command().command()));
        return ObservedProcess.of(process, command.options(), (end, output) -> {
            event.end();
            event.status = end.kind();
            if (end instanceof CommandEnd.Closed closed) {
                event.code = closed.status().code();
            }
            CompletionStage<?> unused = output.thenAccept(count -> {
                event.output = count.stdout() + count.stderr();
                event.commit();
            });
        });
    }
}
