package dev.paddock.executor.process.supervise;

import dev.paddock.executor.Signal;
import dev.paddock.executor.os.posix.Posix;
import dev.paddock.executor.os.table.ProcessTable;
import dev.paddock.executor.os.table.SignalNumbers;
import dev.paddock.executor.process.launch.Launcher;
import java.util.Optional;
import java.util.OptionalInt;

/** Signals exactly the process that was listed, never one that has reused its pid. */
final class ExactSignal {

    private ExactSignal() {}

    /**
     * Sends the signal through a pidfd, which refers to the process that had the pid when it was opened. Returns
     * whether the process existed.
     */
    static boolean send(ProcessTable table, ProcessTable.Row seen, Signal signal) {
        Optional<Posix> posix = Posix.instance();
        if (posix.isEmpty()) {
            return isStill(table, seen) && Launcher.kill(seen.pid(), signal);
        }
        int number = SignalNumbers.toPlatform(signal);
        OptionalInt descriptor = posix.get().children().open(seen.pid());
        if (descriptor.isEmpty()) {
            return isStill(table, seen) && posix.get().children().signal(seen.pid(), number);
        }
        try {
            return isStill(table, seen) && posix.get().children().signal(descriptor.getAsInt(), number);
        } finally {
            posix.get().descriptors().close(descriptor.getAsInt());
        }
    }

    private static boolean isStill(ProcessTable table, ProcessTable.Row seen) {
        return table.row(seen.pid())
                .filter(row -> row.started() == seen.started() && row.running())
                .isPresent();
    }
}
