package dev.paddock.executor.process.launch;

import dev.paddock.executor.SpawnException;
import dev.paddock.executor.TerminalSize;
import dev.paddock.executor.log.LateLogger;
import dev.paddock.executor.os.posix.NativeFault;
import dev.paddock.executor.os.posix.Posix;
import dev.paddock.executor.os.posix.Terminals;
import dev.paddock.executor.os.stream.Poller;
import java.util.Optional;

/**
 * Opens terminals for the processes of one executor.
 *
 * @since 0.1
 */
public final class TerminalSource {
    private static final String MULTIPLEXER = "/dev/ptmx";

    private final Posix posix;
    private final Poller poller;

    private TerminalSource(Posix posix, Poller poller) {
        this.posix = posix;
        this.poller = poller;
    }

    private static final class OfThisMachine {
        static final boolean OPENS =
                Posix.instance().filter(OfThisMachine::opens).isPresent();

        private static boolean opens(Posix posix) {
            try {
                Terminals.Pair made = posix.terminals().open(MULTIPLEXER);
                posix.descriptors().close(made.slave());
                posix.descriptors().close(made.master());
                return true;
            } catch (NativeFault refused) {
                LateLogger.of(TerminalSource.class)
                        .log(System.Logger.Level.DEBUG, "Commands have no terminals here", refused);
                return false;
            }
        }
    }

    /** Returns the source; empty where no terminal can be opened. */
    static Optional<TerminalSource> of(Posix posix, Poller poller) {
        return posix.platform().hasLinuxCalls() && OfThisMachine.OPENS
                ? Optional.of(new TerminalSource(posix, poller))
                : Optional.empty();
    }

    /**
     * Opens a terminal of this machine.
     *
     * @param size its size
     * @return the terminal; owned by the caller
     * @throws SpawnException if there are too many terminals or descriptors
     */
    public Terminal open(TerminalSize size) {
        return open(MULTIPLEXER, size);
    }

    /**
     * Opens a terminal.
     *
     * @param multiplexer the path of its {@code ptmx} file, on this side
     * @param size its size
     * @return the terminal; owned by the caller
     * @throws SpawnException if it cannot be opened
     */
    public Terminal open(String multiplexer, TerminalSize size) {
        try {
            return Terminal.open(posix, poller, multiplexer, size);
        } catch (NativeFault fault) {
            throw new SpawnException(
                    "no terminal can be opened for the command: " + fault.getMessage()
                            + "; end other terminals, or start the command without one",
                    fault);
        }
    }
}
