package dev.paddock.executor.process.table;

import dev.paddock.executor.process.posix.MacProcesses;
import java.io.File;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** The processes of this machine. */
public interface ProcessTable {

    /** A process for good: its number may be given again, but not with the same time. */
    record Identity(long pid, long started) {}

    /**
     * One process.
     *
     * @param started when it started, in the table's own unit
     * @param running false for a zombie
     * @param marker the value of {@link dev.paddock.executor.CommandExecutor#MARKER} in its environment, if that may be
     *     read and has it; looked up when it is first asked for
     */
    record Row(
            long pid,
            long parent,
            long group,
            long session,
            long started,
            boolean running,
            Supplier<Optional<String>> marker) {

        public Identity identity() {
            return new Identity(pid, started);
        }
    }

    /** A point in time, for {@link #since}. */
    Object now();

    /** All processes that have started since then and run; it may be more, never less. */
    List<Row> since(Object point);

    /** All processes that run. */
    List<Row> all();

    /** One process. */
    Optional<Row> row(long pid);

    /** The table of this machine. */
    static ProcessTable ofThisMachine() {
        return Holder.INSTANCE;
    }

    /** Initialised at the first use. */
    final class Holder {
        private static final ProcessTable INSTANCE = find();

        private Holder() {}

        private static ProcessTable find() {
            if (new File("/proc/self/stat").exists()) {
                return ProcTable.INSTANCE;
            }
            return MacProcesses.instance().<ProcessTable>map(MacTable::new).orElseGet(HandleTable::new);
        }
    }
}
