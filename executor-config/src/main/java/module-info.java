/** One configuration file for every backend: what a sandbox grants, read from YAML. */
@SuppressWarnings("module") // the module of the qualified export is built after this one
module dev.paddock.executor.config {
    requires transitive dev.paddock.executor;
    requires dev.paddock.executor.process;
    requires dev.paddock.executor.sandbox;
    requires org.snakeyaml.engine;
    requires static transitive org.jspecify;

    exports dev.paddock.executor.config;
    exports dev.paddock.executor.config.spelling to
            dev.paddock.cli;

    uses dev.paddock.executor.ExecutorProvider;
}
