package dev.paddock.executor.os.table;

import dev.paddock.executor.os.posix.MacProcesses;
import java.io.File;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Lists the processes of this machine.
 *
 * @since 0.1
 */
public interface ProcessTable {

    /** The identity of a process: a reused pid has another start time. */
    record Identity(long pid, long started) {}

    /**
     * One process.
     *
     * @param started the start time, in the table's own unit
     * @param running false for a zombie
     * @param marker the value of {@link dev.paddock.executor.CommandExecutor#MARKER} in its environment, if it is
     *     readable and contains it; read on the first call
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

    /** Returns the current point in time, for {@link #since}. */
    Object now();

    /** Returns the running processes that have started since a point; may contain more, never fewer. */
    List<Row> since(Object point);

    /** Returns all running processes. */
    List<Row> all();

    /** Returns one process. */
    Optional<Row> row(long pid);

    /** Returns the table of this machine. */
    static ProcessTable ofThisMachine() {
        return Holder.INSTANCE;
    }

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
