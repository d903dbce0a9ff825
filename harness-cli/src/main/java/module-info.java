/** The paddock command. */
module dev.paddock.cli {
    requires com.fasterxml.jackson.databind;
    requires dev.paddock.executor;
    requires dev.paddock.executor.config;
    requires dev.paddock.executor.process;
    requires dev.paddock.harness;
    requires dev.paddock.harness.acp;
    requires dev.paddock.harness.audit;
    requires dev.paddock.harness.bindings;
    requires dev.paddock.harness.files;
    requires dev.paddock.harness.guest;
    requires dev.paddock.harness.langchain4j;
    requires dev.paddock.harness.mcp;
    requires dev.paddock.harness.workspace;
    requires io.github.javadiffutils;
    requires jdk.unsupported;
    requires org.jline.reader;
    requires org.jline.terminal;
    requires org.slf4j;
    requires org.tomlj;
    requires static org.jspecify;

    uses dev.paddock.executor.ExecutorProvider;

    provides java.lang.System.LoggerFinder with
            dev.paddock.cli.SystemLogs;
    provides org.slf4j.spi.SLF4JServiceProvider with
            dev.paddock.cli.LibraryLogs;
}
