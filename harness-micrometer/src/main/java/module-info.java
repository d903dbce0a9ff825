/** Timers and counters of commands, for Micrometer. */
module dev.paddock.harness.micrometer {
    requires transitive dev.paddock.executor;
    requires transitive micrometer.core;
    requires static transitive org.jspecify;

    exports dev.paddock.harness.micrometer;
}
