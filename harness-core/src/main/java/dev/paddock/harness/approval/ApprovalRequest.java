package dev.paddock.harness.approval;

import dev.paddock.executor.AbortSignal;
import dev.paddock.harness.tools.ExecutionSite;
import dev.paddock.harness.tools.ToolCall;

/**
 * Describes a tool call that waits for an answer. Later releases may add default methods. Programs implement it only to
 * test their approvers.
 *
 * @since 0.1
 */
public interface ApprovalRequest {

    /**
     * {@return the call, with arguments checked against the tool's schema; a copy: changing its arguments does not
     * change the call}
     */
    ToolCall call();

    /** {@return the tool's execution site} */
    ExecutionSite executionSite();

    /**
     * Returns whether the call changes nothing, as the tool states. It may still send its arguments
     * elsewhere, as {@code web_fetch} does: see {@link #leavesSandbox()}.
     *
     * @return false for every tool of an MCP server, whose own statement is not trusted
     */
    boolean isReadOnly();

    /**
     * Returns whether neither the contained file access nor a sandbox bounds the call: it takes effect
     * {@linkplain ExecutionSite#HOST on the host} (a tool of an MCP server that runs there, a tool of the program), or
     * {@linkplain ExecutionSite#NETWORK on the network from the host} (the web tools, an MCP server over HTTP), or in
     * an executor that does not guarantee {@link dev.paddock.executor.Guarantee#WRITE_CONFINED} (the host executor, a
     * container that was not started confined).
     *
     * @return false for the file tools, and for commands in a sandbox, whatever its policy grants
     */
    boolean leavesSandbox();

    /**
     * Returns what {@link Approval#allowForSession} would allow. The key is compared as a whole,
     * and never as a prefix or a pattern:
     *
     * <ul>
     *   <li>for a tool that works in the worktree, its name ({@code edit}): every call of it;
     *   <li>for the session's {@code bash}, the name, a space and the exact command ({@code bash
     *       make test}), whatever its timeout and whether it runs in the background; a directory that the
     *       call names follows the name ({@code bash(in "sub") make test});
     *   <li>for every other tool, the name, a space and all arguments as JSON, with sorted names.
     * </ul>
     *
     * @return the key, which people can read
     */
    String sessionKey();

    /** {@return the signal that is aborted when the answer is no longer wanted} */
    AbortSignal signal();
}
