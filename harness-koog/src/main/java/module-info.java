/** Runs the shell commands of Koog's agents in a sandbox. */
module dev.paddock.harness.koog {
    requires transitive dev.paddock.executor;
    requires transitive agents.ext.jvm;
    requires transitive kotlin.stdlib;
    requires kotlinx.coroutines.core;
    requires static transitive org.jspecify;

    exports dev.paddock.harness.koog;
}
