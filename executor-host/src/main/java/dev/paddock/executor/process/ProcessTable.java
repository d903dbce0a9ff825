package dev.paddock.executor.process;

import java.util.List;
import java.util.Optional;

/** The processes of this machine. */
interface ProcessTable {

    /**
     * One process.
     *
     * @param started when it started, in the table's own unit: together with the id it names a process for good
     * @param running false for a zombie
     */
    record Row(long pid, long parent, long group, long session, long started, boolean running) {}

    /** A point in time, for {@link #since}. */
    Object now();

    /** All processes that have started since then and run; it may be more, never less. */
    List<Row> since(Object point);

    /** All processes that run. */
    List<Row> all();

    /** One process. */
    Optional<Row> row(long pid);

    /** The value of a variable in a process's environment, if that may be read and has it. */
    Optional<String> variable(long pid, String name);

    /** The table of this machine. */
    static ProcessTable ofThisMachine() {
        return ProcTable.INSTANCE;
    }
}
