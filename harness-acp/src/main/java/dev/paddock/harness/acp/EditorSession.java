package dev.paddock.harness.acp;

import com.agentclientprotocol.sdk.error.AcpErrorCodes;
import com.agentclientprotocol.sdk.spec.AcpSchema;
import com.agentclientprotocol.sdk.spec.AcpSchema.StopReason;
import dev.paddock.harness.events.RunOutcome;
import dev.paddock.harness.events.SessionEvent;
import dev.paddock.harness.model.ModelException;
import java.util.OptionalInt;

/** One session of the editor's: runs its prompts, one at a time, and cancels them. */
final class EditorSession implements AutoCloseable {
    private final AcpSession opened;
    private final EditorClient client;
    private final EditorUpdates updates;
    private final EditorApprover approver;
    private final Object aborting = new Object();
    private boolean isGreeted;
    private int prompts;
    private boolean isAtWork;
    private boolean isCancelled;

    EditorSession(AcpSession opened, EditorClient client, EditorUpdates updates, EditorApprover approver) {
        this.opened = opened;
        this.client = client;
        this.updates = updates;
        this.approver = approver;
    }

    String id() {
        return opened.id();
    }

    EditorClient client() {
        return client;
    }

    AcpSession opened() {
        return opened;
    }

    EditorApprover approver() {
        return approver;
    }

    EditorUpdates updates() {
        return updates;
    }

    /** Sends the session's stored messages to the editor. */
    void replay() {
        updates.replay(opened.session().messages());
    }

    void onEvent(SessionEvent event) {
        updates.show(event);
        if (event instanceof SessionEvent.RunStarted && isCancelled()) {
            opened.session().abort();
        }
    }

    /**
     * Begins a prompt; from now on, it can be cancelled.
     *
     * @throws RequestError if there is one
     */
    synchronized void begin() {
        if (isAtWork) {
            throw new RequestError(
                    AcpErrorCodes.INVALID_REQUEST,
                    "the session " + id() + " is at work on a prompt; wait for its end, or cancel it");
        }
        prompts++;
        isAtWork = true;
        isCancelled = false;
    }

    /** Runs the prompt that has begun. */
    AcpSchema.PromptResponse run(String text) {
        try {
            greet();
            opened.beforePrompt();
            return isCancelled()
                    ? new AcpSchema.PromptResponse(StopReason.CANCELLED)
                    : response(opened.session().prompt(text));
        } finally {
            end();
        }
    }

    private void greet() {
        if (!isGreeted) {
            isGreeted = true;
            String greeting = opened.greeting();
            if (!greeting.isEmpty()) {
                client.say(greeting + "\n\n");
            }
        }
    }

    private AcpSchema.PromptResponse response(RunOutcome outcome) {
        if (isCancelled()) {
            return new AcpSchema.PromptResponse(StopReason.CANCELLED);
        }
        return switch (outcome.end()) {
            case COMPLETED -> AcpSchema.PromptResponse.endTurn();
            case ABORTED -> new AcpSchema.PromptResponse(StopReason.CANCELLED);
            case MAX_TURNS -> new AcpSchema.PromptResponse(StopReason.MAX_TURN_REQUESTS);
            case FAILED -> throw failed(outcome.failure().orElseThrow());
        };
    }

    private static RequestError failed(RuntimeException fault) {
        String hint = fault instanceof ModelException refused && refused.kind() == ModelException.Kind.AUTHENTICATION
                ? "; set the variable of the model's key for the editor's agent"
                : "";
        return new RequestError(AcpErrorCodes.INTERNAL_ERROR, fault.getMessage() + hint);
    }

    private synchronized boolean isCancelled() {
        return isCancelled;
    }

    /** Ends the prompt, after an abort of it that has begun: that must not meet the next one. */
    void end() {
        synchronized (aborting) {
            synchronized (this) {
                isAtWork = false;
            }
        }
        approver.dismiss();
    }

    /**
     * Marks the current prompt as cancelled.
     *
     * @return the prompt, which the caller then aborts; empty if there is none, or it was cancelled before
     */
    synchronized OptionalInt cancel() {
        if (!isAtWork || isCancelled) {
            return OptionalInt.empty();
        }
        isCancelled = true;
        return OptionalInt.of(prompts);
    }

    /** Aborts a prompt, unless it has ended. */
    void abort(int prompt) {
        synchronized (aborting) {
            if (isAtWorkOn(prompt)) {
                abort();
            }
        }
    }

    /** Aborts the run before its questions are denied: the model would be asked about a denial. */
    private void abort() {
        opened.session().abort();
        approver.dismiss();
    }

    private synchronized boolean isAtWorkOn(int prompt) {
        return isAtWork && prompts == prompt;
    }

    @Override
    public void close() {
        var unused = cancel();
        abort(); // without a run too: the end then does not wait for an editor that does not read
        opened.close();
    }
}
