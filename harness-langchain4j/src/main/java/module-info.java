/** Language models for the agent session, and its tools for LangChain4j applications. */
module dev.paddock.harness.langchain4j {
    requires transitive dev.paddock.harness;
    requires transitive langchain4j.core;
    requires com.fasterxml.jackson.databind;
    requires java.net.http;
    requires langchain4j.http.client;
    requires static langchain4j;
    requires static langchain4j.anthropic;
    requires static langchain4j.ollama;
    requires static langchain4j.open.ai;
    requires static langchain4j.skills;
    requires static transitive org.jspecify;

    exports dev.paddock.harness.langchain4j;
}
