package dev.paddock.benchmarks.row;

import dev.paddock.executor.ShellQuoting;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * Runs a command line at a terminal, which {@code script} of util-linux opens; the shell's command is the
 * last argument. The time includes that of {@code script}.
 *
 * @param prefix the words before the command
 */
record TerminalRow(List<String> prefix, Path directory) implements Row {
    @Override
    public Times run(String command) throws IOException {
        List<String> line = Stream.concat(prefix.stream(), Stream.of(command)).toList();
        List<String> script = List.of("script", "-qe", "-E", "never", "-O", "/dev/null", "-c");
        return new ProgramRow(script, directory).run("exec " + ShellQuoting.posix(line));
    }
}
