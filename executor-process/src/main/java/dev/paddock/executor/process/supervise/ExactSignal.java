package dev.paddock.executor.process.supervise;

import dev.paddock.executor.Signal;
import dev.paddock.executor.process.launch.JdkChild;
import dev.paddock.executor.process.posix.Posix;
import dev.paddock.executor.process.table.ProcessTable;
import dev.paddock.executor.process.table.Signals;
import java.util.Optional;
import java.util.OptionalInt;

/** A signal to the very process that was seen, and to no other that has got its number since. */
final class ExactSignal {

    private ExactSignal() {}

    /** By a descriptor, which stands for the process that had the number when it was opened. Whether it was there. */
    static boolean send(ProcessTable table, ProcessTable.Row seen, Signal signal) {
        Optional<Posix> posix = Posix.instance();
        if (posix.isEmpty()) {
            return isStill(table, seen) && JdkChild.kill(seen.pid(), signal);
        }
        int number = Signals.toPlatform(signal);
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
