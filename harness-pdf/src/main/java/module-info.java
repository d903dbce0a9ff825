/** Shows PDF files as text to a session's model. */
module dev.paddock.harness.pdf {
    requires transitive dev.paddock.harness.tools;
    requires org.apache.commons.logging;
    requires org.apache.fontbox;
    requires org.apache.pdfbox;
    requires org.apache.pdfbox.io;
    requires static transitive org.jspecify;

    exports dev.paddock.harness.pdf;
}
