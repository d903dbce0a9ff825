/** Serves sessions to an editor by the Agent Client Protocol. */
module dev.paddock.harness.acp {
    requires transitive dev.paddock.harness;
    requires acp.core;
    requires com.fasterxml.jackson.databind;
    requires dev.paddock.harness.mcp;
    requires reactor.core;
    requires static transitive org.jspecify;

    exports dev.paddock.harness.acp;
}
