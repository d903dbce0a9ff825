package dev.paddock.cli;

import dev.paddock.executor.os.posix.Descriptors;
import dev.paddock.executor.os.posix.NativeFault;
import dev.paddock.executor.os.posix.Posix;
import dev.paddock.executor.os.posix.Terminals;
import java.util.List;
import java.util.Optional;

/**
 * Runs the training with a terminal as standard input and output, so that it loads the classes that a
 * command at a terminal needs. Linux.
 */
final class TrainingTerminal {
    private static final List<Integer> REPLACED = List.of(0, 1);

    private final Descriptors descriptors;
    private final Terminals terminals;
    private final Terminals.Pair pair;
    private final List<Integer> before;

    private TrainingTerminal(Posix posix) throws NativeFault {
        descriptors = posix.descriptors();
        terminals = posix.terminals();
        pair = terminals.open("/dev/ptmx");
        before = List.of(terminals.duplicate(0), terminals.duplicate(1));
        for (int descriptor : REPLACED) {
            terminals.replace(descriptor, pair.slave());
        }
    }

    /**
     * Runs an action at a terminal, if one can be opened.
     *
     * @param action writes less than a terminal buffers, since nobody reads it
     */
    static void run(Runnable action) {
        Optional<Posix> posix = Posix.instance().filter(some -> some.platform().hasLinuxCalls());
        if (posix.isEmpty()) {
            return;
        }
        try {
            TrainingTerminal terminal = new TrainingTerminal(posix.get());
            try {
                action.run();
            } finally {
                terminal.end();
            }
        } catch (NativeFault fault) {
            JvmProcess.messages().println("no training at a terminal: " + fault.getMessage());
        }
    }

    private void end() throws NativeFault {
        for (int descriptor : REPLACED) {
            terminals.replace(descriptor, before.get(descriptor));
            descriptors.close(before.get(descriptor));
        }
        descriptors.close(pair.slave());
        descriptors.close(pair.master());
    }
}
