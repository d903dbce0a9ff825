package dev.paddock.harness.workspace;

import dev.paddock.executor.os.table.OwnerId;

/** The owner that the files of an operation name: a JVM that has ended. */
public final class EndedOwner {
    private EndedOwner() {}

    /** Is called in place of {@link OwnerId#current}. */
    public static OwnerId current() {
        OwnerId here = OwnerId.current();
        return new OwnerId(here.machine(), here.boot(), here.namespace(), here.pid(), here.started() + 1);
    }
}
