package dev.paddock.cli.terminal;

import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.TerminalSize;
import dev.paddock.executor.os.posix.Posix;
import dev.paddock.executor.os.posix.Terminals;
import dev.paddock.executor.process.launch.HelperCommand;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The terminal that is this program's standard input, with its original settings. */
sealed interface TerminalDevice {
    /**
     * Reads the settings, and changes nothing. Uses the C library on Linux; elsewhere {@code stty}, which every system
     * with terminals has, and which takes 5 to 10 ms each time.
     *
     * @throws ExecutorException if they cannot be read
     */
    static TerminalDevice open() {
        Optional<Posix> posix = Posix.instance();
        if (posix.isPresent() && posix.get().platform().hasLinuxCalls()) {
            Terminals terminals = posix.get().terminals();
            Optional<Terminals.Settings> found = terminals.settings(0);
            if (found.isPresent()) {
                return new Direct(terminals, found.get());
            }
        }
        return new Stty(Stty.settings());
    }

    /** Returns the size; empty if the terminal reports none. */
    Optional<TerminalSize> size();

    /** Passes keys on one by one, unchanged and without echo. */
    void raw();

    /** Restores the settings. Does nothing if the terminal has been closed. */
    void reset();

    /**
     * Calls the kernel.
     *
     * @param found the settings to restore
     */
    record Direct(Terminals terminals, Terminals.Settings found) implements TerminalDevice {
        @Override
        public Optional<TerminalSize> size() {
            return terminals.size(0);
        }

        @Override
        public void raw() {
            terminals.apply(0, found.raw());
        }

        @Override
        public void reset() {
            terminals.apply(0, found);
        }
    }

    /**
     * Runs {@code stty}.
     *
     * @param found the settings to restore, in the form of {@code stty -g}
     */
    record Stty(String found) implements TerminalDevice {
        /** This program's standard input, which need not be its controlling terminal. */
        private static final String INPUT = Files.isDirectory(Path.of("/proc/self/fd"))
                ? "/proc/" + ProcessHandle.current().pid() + "/fd/0"
                : "/dev/tty";

        @Override
        public Optional<TerminalSize> size() {
            return run("size").flatMap(Stty::size);
        }

        private static Optional<TerminalSize> size(String line) {
            String[] words = line.strip().split(" ", -1);
            try {
                return Optional.of(new TerminalSize(Integer.parseInt(words[1]), Integer.parseInt(words[0])));
            } catch (IllegalArgumentException | ArrayIndexOutOfBoundsException unknown) {
                return Optional.empty(); // 0 0, as some programs leave it
            }
        }

        @Override
        public void raw() {
            var unused = run("raw", "-echo", "-iexten");
        }

        @Override
        public void reset() {
            var unused = run(found);
        }

        private static String settings() {
            return run("-g")
                    .orElseThrow(() -> new ExecutorException("the settings of your terminal cannot be read by stty:"
                            + " install it (Debian: coreutils), or give --no-tty"))
                    .strip();
        }

        /** Runs {@code stty} on the terminal; empty if it fails, as it does once the terminal is closed. */
        private static Optional<String> run(String... arguments) {
            List<String> line = new ArrayList<>(List.of("sh", "-c", "exec stty \"$@\" <" + INPUT, "sh"));
            line.addAll(List.of(arguments));
            HelperCommand.Result result = HelperCommand.run(line);
            return result.succeeded() ? Optional.of(result.output()) : Optional.empty();
        }
    }
}
