package dev.paddock.harness.mcp.server;

import dev.paddock.harness.approval.Approval;
import dev.paddock.harness.approval.ApprovalRequest;
import io.modelcontextprotocol.server.McpAsyncServerExchange;
import io.modelcontextprotocol.spec.McpSchema.ElicitFormRequest;
import io.modelcontextprotocol.spec.McpSchema.ElicitResult;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;

/** Asks a client's user about tool calls, by the protocol's elicitation. */
public final class Elicitation {
    static final String DECISION = "decision";
    static final String REASON = "reason";
    static final String ALLOW = "allow";
    static final String ALLOW_FOR_SESSION = "allow for this session";
    static final String DENY = "deny";

    private final Consumer<Object> withdrawal;
    private volatile Optional<McpAsyncServerExchange> client = Optional.empty();

    /**
     * Creates an elicitation without a client.
     *
     * @param withdrawal withdraws a question that was not answered
     */
    public Elicitation(Consumer<Object> withdrawal) {
        this.withdrawal = withdrawal;
    }

    /** Receives the exchange with the client, at each of its calls. */
    void connect(McpAsyncServerExchange exchange) {
        client = Optional.of(exchange);
    }

    /**
     * Asks about a call. Blocks until the client answers, the thread is interrupted, or the
     * connection is over; then the question is withdrawn.
     */
    public Approval ask(ApprovalRequest request) throws InterruptedException {
        if (client.isEmpty()) {
            return Approval.deny("the MCP client cannot be asked before it has called a tool");
        }
        McpAsyncServerExchange exchange = client.get();
        if (exchange.getClientCapabilities() == null
                || exchange.getClientCapabilities().elicitation() == null) {
            return Approval.deny("the call needs the user's approval, and the MCP client does not support elicitation,"
                    + " by which it would ask the user");
        }
        ElicitFormRequest question = question(request);
        CompletableFuture<ElicitResult> answer =
                exchange.createElicitation(question).toFuture();
        try {
            return approval(answer.get());
        } catch (ExecutionException failed) {
            return Approval.deny("the MCP client could not ask the user: " + failed.getCause());
        } finally {
            withdrawal.accept(question);
        }
    }

    /**
     * Returns the question. The arguments are JSON, so that a line break in them cannot be mistaken for
     * one in the question.
     */
    private static ElicitFormRequest question(ApprovalRequest request) {
        String message = "Allow the call of " + request.call().name()
                + (request.leavesSandbox() ? ", outside of the sandbox" : "") + "?\n"
                + request.call().arguments();
        Map<String, Object> decision = Map.of(
                "type",
                "string",
                "enum",
                List.of(ALLOW, ALLOW_FOR_SESSION, DENY),
                "description",
                "For this session: " + request.sessionKey());
        Map<String, Object> reason =
                Map.of("type", "string", "description", "Why the call is denied. The model reads it.");
        return ElicitFormRequest.builder(
                        message,
                        Map.of(
                                "type",
                                "object",
                                "properties",
                                Map.of(DECISION, decision, REASON, reason),
                                "required",
                                List.of(DECISION)))
                .build();
    }

    private static Approval approval(ElicitResult result) {
        return switch (result.action()) {
            case ACCEPT -> choice(result.content() == null ? Map.of() : result.content());
            case DECLINE -> Approval.deny("the user declined");
            case CANCEL -> Approval.deny("the user dismissed the question");
            case null -> Approval.deny("the MCP client's answer contains no action");
        };
    }

    private static Approval choice(Map<String, Object> content) {
        return switch (String.valueOf(content.get(DECISION))) {
            case ALLOW -> Approval.allow();
            case ALLOW_FOR_SESSION -> Approval.allowForSession();
            case DENY -> Approval.deny(content.get(REASON) instanceof String why ? why : "");
            default -> Approval.deny("the MCP client's answer contains none of the choices");
        };
    }
}
