/** A tamper-evident record of commands and tool calls. */
module dev.paddock.harness.audit {
    requires transitive dev.paddock.executor;
    requires com.fasterxml.jackson.databind;
    requires java.sql;
    requires org.xerial.sqlitejdbc;
    requires static transitive org.jspecify;

    exports dev.paddock.harness.audit;
    exports dev.paddock.harness.audit.store;
}
