package dev.paddock.harness.approval;

/**
 * Decides about the tool calls of a session or a toolbox before they are carried out, usually by asking a person.
 * <pre>{@code
 * AgentSession.builder()
 *         .approver(call ->
 *                 call.isReadOnly() && !call.leavesSandbox() ? Approval.allow() : ask(call))
 * }</pre>
 *
 * <p>A session asks about every call whose tool exists and whose arguments fit the tool's schema, whether its own model
 * or another loop makes it. It does not ask about a command that {@code allowedCommands} refuses anyway, a call that an
 * answer has allowed for the session, or what the program itself starts: tool sources, executors, and the session's
 * check that commands see the working directory.
 *
 * <p>A session asks one question at a time, in the order of arrival; the other calls wait. An approver of one session
 * therefore need not be thread-safe.
 *
 * @since 0.1
 */
@FunctionalInterface
public interface Approver {

    /**
     * Decides about a call. Runs on a thread of the session, and may block: the call waits, without a time limit, until
     * the answer arrives or the call is aborted. An abort interrupts the thread and denies the call at once; a later
     * answer is ignored. The next question waits until this method has returned.
     *
     * <p>Must not call a tool of the same session: that call would wait for this answer.
     *
     * @param request the call, and what it may reach
     * @return the answer; null and every exception deny the call
     * @throws InterruptedException if the thread is interrupted while it waits
     */
    Approval decide(ApprovalRequest request) throws InterruptedException;
}
