package dev.paddock.executor.sandbox.cgroup;

/** What a control group limits. */
public enum Controller {
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
