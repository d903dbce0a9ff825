package dev.paddock.benchmarks.row;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Runs a command line by the JDK's {@link ProcessBuilder}; the shell's command is its last
 * argument.
 *
 * @param prefix the words before the command
 * @param input the file on its standard input; empty for none
 */
public record ProgramRow(List<String> prefix, Path directory, Optional<Path> input, Starter starter) implements Row {
    private static final int MAX_SECONDS = 60;

    /** Calls {@link ProcessBuilder#start}. */
    @FunctionalInterface
    interface Starter {
        Process start(ProcessBuilder builder) throws IOException;
    }

    public ProgramRow(List<String> prefix, Path directory) {
        this(prefix, directory, Optional.empty(), ProcessBuilder::start);
    }

    @Override
    public Times run(String command) throws IOException {
        List<String> line = new ArrayList<>(prefix);
        line.add(command);
        ProcessBuilder builder = new ProcessBuilder(line).directory(directory.toFile());
        input.ifPresent(file -> builder.redirectInput(file.toFile()));
        long start = System.nanoTime();
        Process process = starter.start(builder);
        long firstByte = OutputReader.drain(process.getInputStream(), process.getErrorStream());
        int code = await(process);
        long exit = System.nanoTime();
        if (code != 0) {
            throw new IOException(String.join(" ", line) + " ended with " + code);
        }
        return new Times(firstByte - start, exit - start);
    }

    private static int await(Process process) throws IOException {
        try {
            if (!process.waitFor(MAX_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new IOException("a command did not end within " + MAX_SECONDS + " s");
            }
            return process.exitValue();
        } catch (InterruptedException stopped) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("stopped");
        }
    }
}
