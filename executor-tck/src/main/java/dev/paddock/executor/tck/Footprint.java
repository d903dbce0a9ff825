package dev.paddock.executor.tck;

import java.io.IOException;
import java.lang.management.ManagementFactory;

/** What this JVM holds: threads, descriptors, and processes below it. */
record Footprint(long threads, long descriptors, long processes) {

    static Footprint now() throws IOException {
        return new Footprint(
                ManagementFactory.getThreadMXBean().getThreadCount(),
                Processes.openDescriptors(),
                ProcessHandle.current().descendants().count());
    }

    Footprint plus(int slack) {
        return new Footprint(threads + slack, descriptors + slack, processes + slack);
    }
}
