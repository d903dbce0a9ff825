package dev.paddock.harness.micrometer;

import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.ExitStatus;
import dev.paddock.executor.ForwardingExecutor;
import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.log.LateLogger;
import dev.paddock.executor.observe.CommandEnd;
import dev.paddock.executor.observe.CommandObserver;
import dev.paddock.executor.observe.ObservedProcess;
import dev.paddock.executor.observe.OutputCount;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.LongTaskTimer;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/**
 * Measures commands, and registers with a {@link MeterRegistry}:
 *
 * <ul>
 *   <li>{@code paddock.commands}, a timer from the launch to the close, with the tag {@code status}:
 *       {@code success} for the exit code 0, {@code failure} for another, {@code signaled}, {@code
 *       out_of_memory}, {@code lost}
 *   <li>{@code paddock.commands.start}, a timer of the launch: until the command's shell was executed
 *   <li>{@code paddock.commands.active}, a long task timer of the commands that run
 *   <li>{@code paddock.commands.refused}, a counter of launches that threw, with the tag {@code fault},
 *       the simple name of the exception's class
 *   <li>{@code paddock.commands.output}, a counter of the bytes that the caller has read
 * </ul>
 *
 * <p>Each has the tag {@code executor}, the executor's name. No tag contains a command or an argument: those would
 * create a meter per command. A fault of the registry does not fail a started command.
 *
 * @since 0.1
 */
public final class MeteredExecutor extends ForwardingExecutor {
    private static final Logger LOG = LateLogger.of(MeteredExecutor.class);
    private static final String PREFIX = "paddock.commands";
    private static final String EXECUTOR = "executor";

    private final MeterRegistry registry;
    private final String executor;
    private final Timer starts;
    private final LongTaskTimer active;
    private final Counter output;

    private MeteredExecutor(CommandExecutor delegate, MeterRegistry registry) {
        super(delegate);
        this.registry = registry;
        this.executor = delegate.name();
        this.starts = Timer.builder(PREFIX + ".start")
                .description("The time until a command's shell was executed")
                .tag(EXECUTOR, executor)
                .register(registry);
        this.active = LongTaskTimer.builder(PREFIX + ".active")
                .description("The commands that are running")
                .tag(EXECUTOR, executor)
                .register(registry);
        this.output = Counter.builder(PREFIX + ".output")
                .description("The bytes of output that callers have read")
                .baseUnit("bytes")
                .tag(EXECUTOR, executor)
                .register(registry);
    }

    /**
     * Returns an executor that measures the commands of another.
     *
     * @param delegate runs the commands; disposed of with the returned one
     * @param registry receives the meters; stays open
     * @return the executor
     */
    public static MeteredExecutor of(CommandExecutor delegate, MeterRegistry registry) {
        return new MeteredExecutor(delegate, registry);
    }

    @Override
    public ProcessLike spawn(String command, SpawnOptions options) {
        long begun = System.nanoTime();
        ProcessLike process;
        try {
            process = super.spawn(command, options);
        } catch (RuntimeException fault) {
            registry.counter(
                            PREFIX + ".refused",
                            EXECUTOR,
                            executor,
                            "fault",
                            fault.getClass().getSimpleName())
                    .increment();
            throw fault;
        }
        try {
            starts.record(System.nanoTime() - begun, TimeUnit.NANOSECONDS);
            return ObservedProcess.of(process, options, new Measurement(begun, active.start()));
        } catch (RuntimeException fault) { // the command runs already, and its caller must be able to end it
            LOG.log(Level.WARNING, "A command cannot be measured", fault);
            return process;
        }
    }

    /** Measures one command. */
    private final class Measurement implements CommandObserver {
        private final long begun;
        private final LongTaskTimer.Sample running;

        Measurement(long begun, LongTaskTimer.Sample running) {
            this.begun = begun;
            this.running = running;
        }

        @Override
        public void outputRead(int bytes) {
            output.increment(bytes);
        }

        @Override
        public void closed(CommandEnd end, CompletionStage<OutputCount> read) {
            running.stop();
            Timer.builder(PREFIX)
                    .description("Commands from their launch to their close")
                    .tag(EXECUTOR, executor)
                    .tag("status", end instanceof CommandEnd.Closed closed ? status(closed.status()) : "lost")
                    .register(registry)
                    .record(System.nanoTime() - begun, TimeUnit.NANOSECONDS);
        }
    }

    private static String status(ExitStatus status) {
        if (status instanceof ExitStatus.Signaled) {
            return "signaled";
        }
        if (status instanceof ExitStatus.OutOfMemory) {
            return "out_of_memory";
        }
        return status.code() == 0 ? "success" : "failure";
    }
}
