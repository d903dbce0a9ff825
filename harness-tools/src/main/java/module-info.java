/** Defines the tools of a session, and the types for writing further tools. */
@SuppressWarnings("module") // the modules of qualified exports are built after this one
module dev.paddock.harness.tools {
    requires transitive dev.paddock.executor;
    requires com.fasterxml.jackson.databind;
    requires com.github.albfernandez.juniversalchardet;
    requires dev.paddock.harness.files;
    requires io.github.javadiffutils;
    requires java.net.http;
    requires org.jsoup;
    requires org.snakeyaml.engine;
    requires static transitive org.jspecify;

    exports dev.paddock.harness.tools;
    exports dev.paddock.harness.tools.script;
    exports dev.paddock.harness.tools.skills;
    exports dev.paddock.harness.tools.web;
    exports dev.paddock.harness.tools.command to
            dev.paddock.harness,
            dev.paddock.harness.bindings,
            dev.paddock.harness.workspace;
    exports dev.paddock.harness.tools.files to
            dev.paddock.harness;
    exports dev.paddock.harness.tools.hint to
            dev.paddock.cli,
            dev.paddock.harness;
    exports dev.paddock.harness.tools.output to
            dev.paddock.harness;
    exports dev.paddock.harness.tools.shell to
            dev.paddock.harness;
    exports dev.paddock.harness.tools.threads to
            dev.paddock.harness,
            dev.paddock.harness.langchain4j;
    exports dev.paddock.harness.tools.text to
            dev.paddock.cli,
            dev.paddock.harness,
            dev.paddock.harness.acp,
            dev.paddock.harness.bindings,
            dev.paddock.harness.guest,
            dev.paddock.harness.langchain4j,
            dev.paddock.harness.mcp,
            dev.paddock.harness.springai;
}
