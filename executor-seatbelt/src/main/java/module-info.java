/** Runs commands on macOS, confined by a profile for {@code sandbox-exec}. */
module dev.paddock.executor.seatbelt {
    requires transitive dev.paddock.executor;
    requires dev.paddock.executor.process;
    requires transitive dev.paddock.executor.sandbox;
    requires static transitive org.jspecify;

    exports dev.paddock.executor.seatbelt;

    provides dev.paddock.executor.ExecutorProvider with
            dev.paddock.executor.seatbelt.SeatbeltProvider;
}
