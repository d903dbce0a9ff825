/**
 * The interface between an agent session and the executor that runs its commands:
 * {@link dev.paddock.executor.CommandExecutor}, its parameter and result types, and the policy that
 * a sandbox enforces.
 *
 * <p>This module depends on nothing. Backends provide
 * {@link dev.paddock.executor.ExecutorProvider}; integrators may also implement the interface
 * directly, for example as a lambda.
 */
@SuppressWarnings("module") // the modules of qualified exports are built after this one
module dev.paddock.executor {
    requires static transitive org.jspecify;

    exports dev.paddock.executor;
    exports dev.paddock.executor.annotation;
    exports dev.paddock.executor.policy;
    exports dev.paddock.executor.run;
    exports dev.paddock.executor.caller to
            dev.paddock.cli,
            dev.paddock.executor.docker,
            dev.paddock.executor.kubernetes,
            dev.paddock.executor.os,
            dev.paddock.executor.process,
            dev.paddock.executor.sandbox,
            dev.paddock.harness,
            dev.paddock.harness.bindings,
            dev.paddock.harness.guest,
            dev.paddock.harness.langchain4j;
    exports dev.paddock.executor.log to
            dev.paddock.executor.bwrap,
            dev.paddock.executor.config,
            dev.paddock.executor.docker,
            dev.paddock.executor.kubernetes,
            dev.paddock.executor.network,
            dev.paddock.executor.os,
            dev.paddock.executor.process,
            dev.paddock.executor.remote,
            dev.paddock.executor.sandbox,
            dev.paddock.executor.ssh,
            dev.paddock.executor.worktree,
            dev.paddock.harness,
            dev.paddock.harness.acp,
            dev.paddock.harness.audit,
            dev.paddock.harness.files,
            dev.paddock.harness.guest,
            dev.paddock.harness.mcp,
            dev.paddock.harness.micrometer,
            dev.paddock.harness.tools,
            dev.paddock.harness.workspace;
    exports dev.paddock.executor.net to
            dev.paddock.executor.network,
            dev.paddock.harness.tools;
    exports dev.paddock.executor.observe to
            dev.paddock.executor.sandbox,
            dev.paddock.harness.audit,
            dev.paddock.harness.micrometer;
    exports dev.paddock.executor.path to
            dev.paddock.cli,
            dev.paddock.executor.bwrap,
            dev.paddock.executor.config,
            dev.paddock.executor.docker,
            dev.paddock.executor.kubernetes,
            dev.paddock.executor.os,
            dev.paddock.executor.remote,
            dev.paddock.executor.sandbox,
            dev.paddock.executor.ssh,
            dev.paddock.executor.worktree,
            dev.paddock.harness,
            dev.paddock.harness.audit,
            dev.paddock.harness.bindings,
            dev.paddock.harness.files,
            dev.paddock.harness.guest,
            dev.paddock.harness.tools,
            dev.paddock.harness.workspace;
    exports dev.paddock.executor.pattern to
            dev.paddock.executor.sandbox,
            dev.paddock.harness.bindings,
            dev.paddock.harness.files;
    exports dev.paddock.executor.upkeep to
            dev.paddock.cli,
            dev.paddock.executor.bwrap,
            dev.paddock.executor.docker,
            dev.paddock.executor.host,
            dev.paddock.executor.kubernetes,
            dev.paddock.executor.landlock,
            dev.paddock.executor.os,
            dev.paddock.executor.process,
            dev.paddock.executor.sandbox,
            dev.paddock.executor.seatbelt,
            dev.paddock.executor.ssh,
            dev.paddock.harness.workspace;
    exports dev.paddock.executor.variable to
            dev.paddock.executor.config,
            dev.paddock.executor.host,
            dev.paddock.executor.process,
            dev.paddock.executor.remote,
            dev.paddock.executor.sandbox,
            dev.paddock.executor.tck,
            dev.paddock.harness.bindings,
            dev.paddock.harness.tools,
            dev.paddock.harness.workspace;

    uses dev.paddock.executor.ExecutorProvider;
    uses dev.paddock.executor.path.FileOpener;
}
