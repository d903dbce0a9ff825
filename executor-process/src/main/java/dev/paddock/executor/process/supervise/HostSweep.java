package dev.paddock.executor.process.supervise;

import dev.paddock.executor.Signal;
import dev.paddock.executor.process.table.OwnerId;
import dev.paddock.executor.process.table.ProcessTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Ends the processes on this machine that commands of dead JVMs have left, if the reaper of those
 * JVMs has died as well (C12).
 */
public final class HostSweep {

    private HostSweep() {}

    /**
     * Ends every process whose marker names an owner that is proven dead.
     *
     * @return a phrase for each process that was ended, and for each that could not be
     */
    public static List<String> run() {
        ProcessTable table = ProcessTable.ofThisMachine();
        List<String> done = new ArrayList<>();
        for (ProcessTable.Row row : table.all()) {
            Optional<OwnerId> owner = row.marker().get().flatMap(HostSweep::ownerOf);
            if (owner.filter(OwnerId::provenDead).isPresent()) {
                boolean ended = ExactSignal.send(table, row, Signal.KILL);
                done.add((ended ? "ended process " : "could not end process ") + row.pid() + " of the dead process "
                        + owner.get().pid());
            }
        }
        return done;
    }

    private static Optional<OwnerId> ownerOf(String marker) {
        int end = marker.indexOf(':');
        return end < 0 ? Optional.empty() : OwnerId.parse(marker.substring(0, end));
    }
}
