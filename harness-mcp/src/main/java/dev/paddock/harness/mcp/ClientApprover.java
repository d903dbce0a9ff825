package dev.paddock.harness.mcp;

import dev.paddock.harness.approval.Approval;
import dev.paddock.harness.approval.ApprovalRequest;
import dev.paddock.harness.approval.Approver;
import dev.paddock.harness.mcp.server.Elicitation;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Lets the person at an MCP client decide about the tool calls of a toolbox: asks the client that a
 * {@link McpToolServer} serves, by the protocol's elicitation.
 *
 * <pre>{@code
 * ClientApprover approver =
 *         ClientApprover.askingAbout(call -> !call.isReadOnly() || call.leavesSandbox());
 * try (Toolbox toolbox = Toolbox.builder().cwd(worktree).approver(approver).build()) {
 *     McpToolServer.of(toolbox, "my-tools", "1.0").serve(in, out);
 * }
 * }</pre>
 *
 * <p>A server connects the approver of its toolbox to its client. Every call that it asks about is
 * denied, and the model reads the reason, if the client does not declare the capability {@code
 * elicitation}, fails to ask, or answers anything but the choice that it was sent; and while no
 * server serves the toolbox. Thread-safe.
 *
 * @since 0.1
 */
public final class ClientApprover implements Approver {
    private final Predicate<ApprovalRequest> asks;
    private final AtomicReference<@Nullable Elicitation> client = new AtomicReference<>();

    private ClientApprover(Predicate<ApprovalRequest> asks) {
        this.asks = asks;
    }

    /**
     * Returns an approver that asks about every call.
     *
     * @return the approver, for one toolbox
     */
    public static ClientApprover create() {
        return askingAbout(call -> true);
    }

    /**
     * Returns an approver that asks about some calls and allows the others.
     *
     * @param calls whether the client is asked about a call
     * @return the approver, for one toolbox
     */
    public static ClientApprover askingAbout(Predicate<ApprovalRequest> calls) {
        return new ClientApprover(calls);
    }

    /** Connects a server's client; the server disconnects it when it has been served. */
    void connect(Elicitation one) {
        if (!client.compareAndSet(null, one)) {
            throw new IllegalStateException("the toolbox's approver asks the client of another server; end that server,"
                    + " or give each server a toolbox with its own approver");
        }
    }

    void disconnect() {
        client.set(null);
    }

    @Override
    public Approval decide(ApprovalRequest request) throws InterruptedException {
        if (!asks.test(request)) {
            return Approval.allow();
        }
        Elicitation connected = client.get();
        return connected == null
                ? Approval.deny("no MCP client is connected to ask for approval")
                : connected.ask(request);
    }
}
