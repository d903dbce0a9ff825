package dev.paddock.executor.process.launch;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.commons.exec.CommandLine;
import org.apache.commons.exec.DefaultExecutor;
import org.apache.commons.exec.ExecuteWatchdog;
import org.apache.commons.exec.PumpStreamHandler;

/**
 * Runs short host programs for their output: probes, versions, queries of git. Never runs a session's command.
 *
 * <p>Bounds the time and the output; standard input is empty unless given.
 *
 * @since 0.1
 */
public final class HelperCommand {
    /** The default bound: 5 seconds. */
    public static final Duration DEFAULT_BOUND = Duration.ofSeconds(5);

    /** The number of output bytes that are kept: 1 MiB; the rest is dropped. */
    public static final int MAX_OUTPUT_BYTES = 1 << 20;

    private HelperCommand() {}

    /**
     * The result of a helper command.
     *
     * @param exitCode its exit code; empty if it could not be started or was killed at its bound
     * @param output its standard output and standard error, as UTF-8
     */
    public record Result(Optional<Integer> exitCode, String output) {

        /** {@return whether the command exited with 0} */
        public boolean succeeded() {
            return exitCode.filter(code -> code == 0).isPresent();
        }
    }

    /**
     * Runs a program within the default bound, with the minimal environment.
     *
     * @param argv the program, found on {@code PATH}, and its arguments; ASCII
     * @return its result
     */
    public static Result run(List<String> argv) {
        return run(argv, HostEnvironment.minimal(), DEFAULT_BOUND);
    }

    /**
     * Runs a program.
     *
     * @param argv the program, found on {@code PATH}, and its arguments; ASCII
     * @param env its whole environment
     * @param bound the time after which it is killed
     * @return its result
     */
    public static Result run(List<String> argv, Map<String, String> env, Duration bound) {
        Capped output = new Capped();
        return run(argv, env, bound, new PumpStreamHandler(output), output);
    }

    /**
     * Runs a program with an input, and keeps only its standard output.
     *
     * @param argv the program, found on {@code PATH}, and its arguments; ASCII
     * @param env its whole environment
     * @param bound the time after which it is killed
     * @param input its standard input
     * @return its result, without its standard error
     */
    public static Result filter(List<String> argv, Map<String, String> env, Duration bound, byte[] input) {
        Capped output = new Capped();
        PumpStreamHandler streams =
                new PumpStreamHandler(output, OutputStream.nullOutputStream(), new ByteArrayInputStream(input));
        return run(argv, env, bound, streams, output);
    }

    private static Result run(
            List<String> argv, Map<String, String> env, Duration bound, PumpStreamHandler streams, Capped output) {
        CommandLine line = new CommandLine(argv.get(0));
        argv.stream().skip(1).forEach(argument -> line.addArgument(argument, /* handleQuoting */ false));
        ExecuteWatchdog watchdog = ExecuteWatchdog.builder().setTimeout(bound).get();
        DefaultExecutor executor =
                DefaultExecutor.builder().setExecuteStreamHandler(streams).get();
        executor.setWatchdog(watchdog);
        executor.setExitValues(null);
        try {
            int code = executor.execute(line, env);
            return new Result(watchdog.killedProcess() ? Optional.empty() : Optional.of(code), output.text());
        } catch (IOException failed) {
            return new Result(Optional.empty(), output.text() + failed.getMessage());
        }
    }

    private static final class Capped extends OutputStream {
        private final ByteArrayOutputStream kept = new ByteArrayOutputStream();

        @Override
        public synchronized void write(int one) {
            if (kept.size() < MAX_OUTPUT_BYTES) {
                kept.write(one);
            }
        }

        @Override
        public synchronized void write(byte[] from, int offset, int length) {
            kept.write(from, offset, Math.min(length, MAX_OUTPUT_BYTES - kept.size()));
        }

        synchronized String text() {
            return kept.toString(UTF_8);
        }
    }
}
