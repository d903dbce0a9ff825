/** The agent session: its loop, events and tools. */
@SuppressWarnings("module") // what it is exported to is built after it
module dev.paddock.harness {
    requires transitive dev.paddock.executor;
    requires transitive com.fasterxml.jackson.databind;
    requires io.github.javadiffutils;
    requires java.net.http;
    requires org.jsoup;
    requires org.slf4j;
    requires org.snakeyaml.engine;
    requires static transitive org.jspecify;

    exports dev.paddock.harness;
    exports dev.paddock.harness.tool;
    exports dev.paddock.harness.output to
            dev.paddock.benchmarks;
    exports dev.paddock.harness.text to
            dev.paddock.harness.langchain4j,
            dev.paddock.harness.mcp;

    uses dev.paddock.executor.ExecutorProvider;
}
