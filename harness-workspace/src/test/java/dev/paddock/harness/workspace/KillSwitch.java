package dev.paddock.harness.workspace;

import dev.paddock.executor.process.file.Kernel;
import dev.paddock.executor.process.table.OwnerId;
import java.io.IOException;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.Callable;

/**
 * Ends an operation at one of its steps as a kill does: from that step on nothing changes a file, not
 * even the operation's own clean-up, and the kernel closes what it has open. {@link SteppedClasses}
 * call it.
 */
public final class KillSwitch {
    private static final Set<Integer> OPEN = new HashSet<>();
    private static boolean armed;
    private static boolean killed;
    private static int steps;

    private KillSwitch() {}

    /** What a step throws after the kill; no handler of the product's catches an error. */
    private static final class Killed extends Error {
        private static final long serialVersionUID = 1;

        Killed() {
            super("killed", null, false, false);
        }
    }

    /**
     * Runs an operation until its end or a step.
     *
     * @param step the number of its steps before the kill
     * @return whether it was killed; if not, it has fewer steps
     */
    static boolean killsAt(int step, Callable<?> operation) throws Exception {
        arm(step);
        try {
            operation.call();
        } catch (Exception | Error fault) {
            if (!isKilled()) {
                throw fault;
            }
        } finally {
            disarm();
        }
        return isKilled();
    }

    private static synchronized void arm(int step) {
        OPEN.clear();
        steps = step;
        killed = false;
        armed = true;
    }

    private static synchronized boolean isKilled() {
        return killed;
    }

    private static synchronized void disarm() throws IOException {
        armed = false;
        Kernel kernel = Kernel.create();
        if (killed) {
            OPEN.forEach(kernel::close);
        }
        OPEN.clear();
    }

    /** Is called before each change of a file. */
    public static synchronized void step() {
        if (armed) {
            killed |= steps-- == 0;
            if (killed) {
                throw new Killed();
            }
        }
    }

    /** Is called with each descriptor that is opened. */
    public static synchronized void opened(int descriptor) {
        if (armed) {
            OPEN.add(descriptor);
        }
    }

    /** Is called before a descriptor is closed. */
    public static synchronized void closed(int descriptor) {
        OPEN.remove(descriptor);
    }

    /** Returns the owner that the files of the operation name: a JVM that has ended. */
    public static OwnerId owner() {
        OwnerId here = OwnerId.current();
        return new OwnerId(here.machine(), here.boot(), here.namespace(), here.pid(), here.started() + 1);
    }
}
