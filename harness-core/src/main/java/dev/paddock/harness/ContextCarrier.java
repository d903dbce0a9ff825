package dev.paddock.harness;

/**
 * Carries a caller's context to the threads that work for it: the log's diagnostic context, a trace, a security
 * context. Libraries provide such functions: {@code DelegatingSecurityContextRunnable::new}, OpenTelemetry's
 * {@code task -> Context.current().wrap(task)}, Micrometer's {@code task -> factory.captureAll().wrap(task)}.
 *
 * <p>A session's threads serve several callers, and inherit no thread-locals. With a carrier, a tool call, the model,
 * the approver and a listener run in the context of the thread that called {@code prompt} or {@code call}. A listener
 * that is behind may receive events of a call in the context of an earlier one.
 *
 * @since 0.1
 */
@FunctionalInterface
public interface ContextCarrier {

    /**
     * Captures the context of the calling thread. Must not block. An exception fails the call.
     *
     * @param task the task, which runs once, on another thread
     * @return a task that runs the given one in the captured context, and then restores its thread's previous context
     */
    Runnable carry(Runnable task);
}
