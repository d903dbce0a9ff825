/**
 * The seam between an agent session and the place where its commands run: one interface,
 * {@link dev.paddock.executor.CommandExecutor}, the values that pass through it, and the policy that a sandbox enforces.
 *
 * <p>This module depends on nothing. Backends provide {@link dev.paddock.executor.ExecutorProvider}; integrators may also
 * implement the interface directly, as a lambda if they like.
 */
module dev.paddock.executor {
    requires static transitive org.jspecify;

    exports dev.paddock.executor;
    exports dev.paddock.executor.annotation;
    exports dev.paddock.executor.policy;

    uses dev.paddock.executor.ExecutorProvider;
}
