package dev.paddock.executor.sandbox.cgroup;

/** A resource that a cgroup can limit. */
enum Controller {
    /** Memory, swap included. */
    MEMORY("memory"),
    /** Processor time. */
    CPU("cpu"),
    /** Processes and threads. */
    PROCESSES("pids");

    private final String kernelName;

    Controller(String kernelName) {
        this.kernelName = kernelName;
    }

    String kernelName() {
        return kernelName;
    }
}
