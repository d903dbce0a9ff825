/** Provides contained access to the files of a worktree. */
@SuppressWarnings("module") // the modules of qualified exports are built after this one
module dev.paddock.harness.files {
    requires transitive dev.paddock.executor;
    requires dev.paddock.executor.os;
    requires static transitive org.jspecify;

    exports dev.paddock.harness.files.access;
    exports dev.paddock.harness.files.workspace;
    exports dev.paddock.harness.files.content to
            dev.paddock.harness.tools;
}
