/** The paddock command. */
module dev.paddock.cli {
    requires dev.paddock.executor;
    requires dev.paddock.executor.process;
    requires dev.paddock.harness;
    requires dev.paddock.harness.langchain4j;
    requires dev.paddock.harness.mcp;
    requires jdk.unsupported;
    requires org.slf4j;
    requires static org.jspecify;

    uses dev.paddock.executor.ExecutorProvider;

    provides java.lang.System.LoggerFinder with
            dev.paddock.cli.SystemLogs;
}
