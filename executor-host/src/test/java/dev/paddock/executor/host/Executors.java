package dev.paddock.executor.host;

/** Executors for tests outside this package. */
public final class Executors {
    private Executors() {}

    /** One that does without what only Linux has. */
    public static HostExecutor portable() {
        return HostExecutor.builder().means(HostCommands.Means.PORTABLE).build();
    }
}
