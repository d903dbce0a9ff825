package dev.paddock.executor.tck;

import static dev.paddock.executor.tck.Broken.executor;

import dev.paddock.executor.Guarantee;
import dev.paddock.executor.ShellQuoting;
import dev.paddock.executor.SpawnOptions;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/** Executors that break C20. */
final class BrokenTerminals {
    private BrokenTerminals() {}

    static List<Broken> all() {
        return List.of(
                executor("runs without a terminal", "C20_refusedWhereItIsNotClaimed", "terminal", Unaware::new),
                executor("ignores the terminal", "C20_sizeAskedFor", "not a tty", Claiming::new),
                executor("does not resize", "C20_resizeIsSignalled", "onExit did not complete", ClaimsResize::new),
                executor("leaves other terminals open", "C20_noOtherTerminalIsReached", "intruder", ReachesOthers::new),
                executor("takes an error for the end", "C20_closedTerminalIsNotEnd", "late", EndsEarly::new));
    }

    private static class Unaware extends ReferenceExecutor {
        @Override
        boolean hasTerminal() {
            return true;
        }
    }

    private static class Claiming extends Unaware {
        @Override
        public Set<Guarantee> guarantees() {
            return Set.of(Guarantee.TERMINAL);
        }
    }

    private static final class ClaimsResize extends Claiming {
        @Override
        ReferenceProcess process(Process process, SpawnOptions options, String marker) {
            return new ReferenceProcess(process, options, marker) {
                @Override
                public boolean resize(int columns, int rows) {
                    boolean unused = super.resize(columns, rows);
                    return true;
                }
            };
        }
    }

    /** Gives commands a terminal by util-linux's {@code script}, and confines nothing. */
    private static final class ReachesOthers extends Claiming {
        @Override
        public Set<Guarantee> guarantees() {
            return Set.of(Guarantee.TERMINAL, Guarantee.WRITE_CONFINED);
        }

        @Override
        List<String> line(Path script, String command, SpawnOptions options) {
            return List.of(
                    "setsid",
                    "-w",
                    "script",
                    "-qec",
                    ShellQuoting.posix(List.of("sh", "--", script.toString())),
                    "/dev/null");
        }
    }

    /** Reports the end of the output when the command closes its terminal, or before. */
    private static final class EndsEarly extends Claiming {
        @Override
        byte[] script(String command, SpawnOptions options) {
            return super.script(command.replace("> /dev/tty", "; :"), options);
        }

        @Override
        ReferenceProcess process(Process process, SpawnOptions options, String marker) {
            return new ReferenceProcess(process, options, marker) {
                @Override
                public InputStream stdout() {
                    return InputStream.nullInputStream();
                }
            };
        }
    }
}
