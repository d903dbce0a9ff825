/** Process launch, supervision and clean-up, and the executor that runs commands on the host. */
module dev.paddock.executor.host {
    requires transitive dev.paddock.executor;
    requires org.jnrproject.ffi;
    requires org.jnrproject.posix;
    requires org.apache.commons.exec;
    requires static transitive org.jspecify;

    exports dev.paddock.executor.host;
    exports dev.paddock.executor.process;
}
