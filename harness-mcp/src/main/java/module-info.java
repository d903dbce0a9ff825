/** Serves a session's tools to MCP clients, and provides MCP servers' tools to a session. */
@SuppressWarnings("module") // the modules of qualified exports are built after this one
module dev.paddock.harness.mcp {
    requires transitive dev.paddock.harness;
    requires com.fasterxml.jackson.databind;
    requires io.modelcontextprotocol.sdk.mcp.core;
    requires io.modelcontextprotocol.sdk.mcp.json.jackson2;
    requires java.net.http;
    requires org.reactivestreams;
    requires reactor.core;
    requires static transitive org.jspecify;

    exports dev.paddock.harness.mcp;
    exports dev.paddock.harness.mcp.wire to
            dev.paddock.harness.acp;
}
