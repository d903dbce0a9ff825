package dev.paddock.executor.tck.context;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.Map;
import java.util.TreeMap;

/** The resources of this JVM: threads, descriptors, and processes below it. */
public record Footprint(long threads, long descriptors, long processes) {

    public static Footprint now() throws IOException {
        return new Footprint(
                ManagementFactory.getThreadMXBean().getThreadCount(),
                Processes.openDescriptors(),
                ProcessHandle.current().descendants().count());
    }

    /** Returns each resource that exceeds the other footprint, and by how much. */
    public Map<String, Long> excessOver(Footprint most) {
        Map<String, Long> excess = new TreeMap<>();
        excess.put("threads", threads - most.threads);
        excess.put("descriptors", descriptors - most.descriptors);
        excess.put("processes", processes - most.processes);
        excess.values().removeIf(count -> count <= 0);
        return excess;
    }

    public Footprint plus(int slack) {
        return new Footprint(threads + slack, descriptors + slack, processes + slack);
    }
}
