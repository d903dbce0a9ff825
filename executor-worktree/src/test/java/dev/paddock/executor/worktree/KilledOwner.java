package dev.paddock.executor.worktree;

import dev.paddock.executor.os.io.Heartbeat;
import dev.paddock.executor.os.table.OwnerId;

/** What a session that is killed in this JVM calls in place of the product's methods. */
public final class KilledOwner {
    private KilledOwner() {}

    /** Returns a JVM that has ended: the processes of this one are not to be ended. */
    public static OwnerId current() {
        OwnerId here = OwnerId.current();
        return new OwnerId(here.machine(), here.boot(), here.namespace(), here.pid(), here.started() + 1);
    }

    /** Does nothing: the heartbeat would add steps to an operation, and go on after its end. */
    public static void add(Heartbeat.Beating member) {}
}
