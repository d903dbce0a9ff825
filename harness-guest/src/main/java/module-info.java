/** Runs JavaScript and TypeScript in a small process inside a sandbox, over the bindings. */
module dev.paddock.harness.guest {
    requires transitive dev.paddock.executor;
    requires transitive dev.paddock.harness.bindings;
    requires transitive dev.paddock.harness.tools;
    requires com.fasterxml.jackson.databind;
    requires dev.paddock.harness.workspace;
    requires kotlin.stdlib;
    requires kotlinx.coroutines.core;
    requires quickjs.kt.jvm;
    requires static transitive org.jspecify;

    exports dev.paddock.harness.guest;
    exports dev.paddock.harness.guest.session;

    uses dev.paddock.executor.ExecutorProvider;
}
