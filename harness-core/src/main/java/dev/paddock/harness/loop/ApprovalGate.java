package dev.paddock.harness.loop;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.paddock.executor.AbortSignal;
import dev.paddock.executor.log.LateLogger;
import dev.paddock.harness.approval.Approval;
import dev.paddock.harness.approval.ApprovalRequest;
import dev.paddock.harness.approval.Approver;
import dev.paddock.harness.tools.CommandAudit.Outcome;
import dev.paddock.harness.tools.ExecutionSite;
import dev.paddock.harness.tools.Json;
import dev.paddock.harness.tools.Tool;
import dev.paddock.harness.tools.ToolCall;
import dev.paddock.harness.tools.ToolResult;
import dev.paddock.harness.tools.command.AllowList;
import dev.paddock.harness.tools.command.AuditTrail;
import dev.paddock.harness.tools.command.DeniedException;
import dev.paddock.harness.tools.text.JsonNodes;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Semaphore;
import java.util.function.BooleanSupplier;

/**
 * Asks the program's approver about each call, one question at a time, and remembers what it has allowed for the
 * session. Denies the call unless the approver explicitly allows it: on an exception, null or an abort.
 */
public final class ApprovalGate {
    private static final Logger LOG = LateLogger.of(ApprovalGate.class);
    private static final JsonMapper SORTED =
            JsonMapper.builder().enable(JsonNodeFeature.WRITE_PROPERTIES_SORTED).build();

    private final Approver approver;
    private final ExecutorService workers;
    private final BooleanSupplier confinesCommands;
    private final Commands commands;
    private final Semaphore turn = new Semaphore(1, /* fair */ true);
    private final Set<String> allowed = ConcurrentHashMap.newKeySet();

    /**
     * The session's commands: its own {@code bash}, not one that replaces or wraps it; the list that refuses commands
     * before the approver is asked; and the trail that records denied ones.
     */
    public record Commands(Tool bash, Optional<AllowList> list, AuditTrail audits) {
        static String text(ToolCall call) {
            return call.arguments().text("command").orElse("");
        }

        /**
         * Returns the session key. A key without a directory has a space after the name, never a
         * parenthesis, so that no command can imitate a key with a directory.
         */
        static String key(ToolCall call) {
            String directory = call.arguments().text("cwd").orElse("");
            return call.name() + (directory.isEmpty() ? "" : "(in " + TextNode.valueOf(directory) + ")") + " "
                    + text(call);
        }

        boolean refuses(ToolCall call) {
            try {
                list.ifPresent(some -> some.pass(text(call), AbortSignal.never()));
                return false;
            } catch (DeniedException refused) {
                return true;
            }
        }

        void record(ToolCall call, Outcome outcome) {
            boolean background = call.arguments().flag("run_in_background");
            audits.begin(call.id(), text(call), background).ended(outcome);
        }
    }

    /**
     * Creates a gate.
     *
     * @param workers run the approver, whose calls may block
     * @param confinesCommands returns whether the executor confines what commands write
     */
    public ApprovalGate(
            Approver approver, ExecutorService workers, BooleanSupplier confinesCommands, Commands commands) {
        this.approver = approver;
        this.workers = workers;
        this.confinesCommands = confinesCommands;
        this.commands = commands;
    }

    private record Question(
            ToolCall call,
            ExecutionSite executionSite,
            boolean isReadOnly,
            boolean leavesSandbox,
            String sessionKey,
            AbortSignal signal)
            implements ApprovalRequest {}

    /** Returns the result of a call that must not be carried out; empty if it is allowed. */
    Optional<ToolResult> refusal(Tool tool, ToolCall call, AbortSignal signal) {
        boolean isCommand = commands.bash().equals(tool); // by identity: BashTool does not override equals
        Question question = question(tool, call, isCommand, signal);
        if (allowed.contains(question.sessionKey()) || (isCommand && commands.refuses(call))) {
            return Optional.empty();
        }
        Approval answer;
        try {
            answer = AbandonableTask.start(workers, () -> ask(question)).await(signal, Duration.ZERO);
        } catch (AbandonedException unanswered) {
            answer = Approval.deny("");
        }
        if (signal.isAborted()) {
            return Optional.of(refused(call, isCommand, Outcome.ABORTED, aborted()));
        }
        return answer instanceof Approval.Denied denied
                ? Optional.of(refused(call, isCommand, Outcome.DENIED, denied(call.name(), denied.reason())))
                : Optional.empty();
    }

    private Question question(Tool tool, ToolCall call, boolean isCommand, AbortSignal signal) {
        ExecutionSite site = tool.executionSite();
        boolean leaves = switch (site) {
            case WORKTREE -> false;
            case SANDBOX -> !confinesCommands.getAsBoolean();
            case HOST, NETWORK -> true;
        };
        String key = isCommand
                ? Commands.key(call)
                : site == ExecutionSite.WORKTREE ? call.name() : call.name() + " " + sorted(call);
        return new Question(call, site, tool.isReadOnly(), leaves, key, signal);
    }

    private static String sorted(ToolCall call) {
        try {
            return SORTED.writeValueAsString(JsonNodes.object(call.arguments()));
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException("arguments cannot be written as JSON", impossible);
        }
    }

    /** Waits for this question's turn, and asks. Remembers the answer before the next question is asked. */
    private Approval ask(Question question) throws InterruptedException {
        turn.acquire();
        try {
            if (allowed.contains(question.sessionKey())) {
                return Approval.allow();
            }
            Approval answer = decide(question);
            if (answer instanceof Approval.Allowed permission
                    && permission.forSession()
                    && !question.signal().isAborted()) {
                allowed.add(question.sessionKey());
            }
            return answer;
        } finally {
            turn.release();
        }
    }

    private Approval decide(Question question) {
        try {
            Approval answer = approver.decide(question);
            if (answer == null) {
                LOG.log(Level.WARNING, "The approver " + approver.getClass().getName() + " returned null");
                return Approval.deny("the approver gave no answer, which is a fault in the program");
            }
            return answer;
        } catch (Exception | Error fault) {
            if (!question.signal().isAborted()) {
                LOG.log(Level.WARNING, "The approver " + approver.getClass().getName() + " failed", fault);
            }
            return Approval.deny("the approver failed: " + fault);
        }
    }

    private ToolResult refused(ToolCall call, boolean isCommand, Outcome outcome, ToolResult result) {
        if (isCommand) {
            commands.record(call, outcome);
        }
        return result;
    }

    private static ToolResult aborted() {
        return ToolResult.error("The call was aborted before it was approved. Nothing was done.");
    }

    private static ToolResult denied(String tool, String reason) {
        String why = reason.isBlank() ? "" : ": " + reason;
        return ToolResult.error("The call of " + tool + " was denied" + why + ". Nothing was done. Do not attempt the"
                        + " same in another way: go on without it, or ask the user.")
                .withDetails(Json.object().with("denied", reason));
    }
}
