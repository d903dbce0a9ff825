/**
 * Serves sessions to an editor by the Agent Client Protocol. For the paddock command: its package may change at any
 * time.
 */
@SuppressWarnings("module") // the module of the qualified export is built after this one
module dev.paddock.harness.acp {
    requires transitive dev.paddock.harness;
    requires acp.core;
    requires com.fasterxml.jackson.databind;
    requires dev.paddock.harness.mcp;
    requires reactor.core;
    requires static transitive org.jspecify;

    exports dev.paddock.harness.acp to
            dev.paddock.cli;
}
