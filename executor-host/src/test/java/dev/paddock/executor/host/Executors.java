package dev.paddock.executor.host;

/** Creates executors for tests outside this package. */
public final class Executors {
    private Executors() {}

    /** Returns an executor that does not use the mechanisms that only Linux has. */
    public static HostExecutor portable() {
        return HostExecutor.builder().means(HostCommands.Means.PORTABLE).build();
    }
}
