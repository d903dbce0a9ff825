/** The paddock command. */
module dev.paddock.cli {
    requires dev.paddock.executor;
    requires dev.paddock.executor.host;
    requires dev.paddock.harness;
    requires dev.paddock.samples;
    requires info.picocli;
    requires org.slf4j;
    requires static org.jspecify;

    opens dev.paddock.cli to
            info.picocli;

    uses dev.paddock.executor.ExecutorProvider;
}
